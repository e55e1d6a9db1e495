"""憑證: the certificate of ``--https``, made and kept here, so that a phone's browser lets the page use the camera.

Our own small authority signs the server's certificate. A phone that installs it trusts the page without a warning. It
may sign only for this computer and for local addresses, so the trust risks little.
"""

from __future__ import annotations

import ipaddress
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING

from vision.files import put_file

if TYPE_CHECKING:
    from cryptography import x509
    from cryptography.hazmat.primitives.asymmetric.ec import EllipticCurvePrivateKey

LOCAL_NETWORKS = (
    *("127.0.0.0/8", "10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "169.254.0.0/16", "100.64.0.0/10"),
    *("::1/128", "fc00::/7", "fe80::/10"),
)
AUTHORITY_DAYS, SERVER_DAYS = 3650, 397  # browsers refuse a server's certificate of more than 398 days
RENEW_DAYS = 30  # a certificate is renewed this long before its end


class NoCryptography(Exception):
    """The extra ``https`` is not installed."""


@dataclass(frozen=True, slots=True)
class Identity:
    """Paths of the files: the chain and its key for the server (PEM), the authority for phones (PEM)."""

    chain: Path
    key: Path
    authority: Path


def identity(folder: Path, names: Sequence[str]) -> Identity:
    """The certificate for `names` (host names and numeric addresses); the existing one if it still fits.

    Raises NoCryptography, and OSError if the folder cannot be written.
    """
    try:
        from cryptography import x509
        from cryptography.x509.oid import ExtendedKeyUsageOID
    except ImportError:
        raise NoCryptography from None
    for path in (folder.parent, folder):  # `mode` is for the last folder only
        path.mkdir(mode=0o700, parents=True, exist_ok=True)
    files = Identity(folder / "server.pem", folder / "server.key", folder / "authority.pem")
    now = datetime.now(UTC)
    chain = _load(files.chain)
    if chain and files.key.is_file() and files.authority.is_file() and _fits(chain, names, now):
        return files
    authority = _authority(folder, names, now)
    key = _new_key()
    wanted = [_general_name(name) for name in names]
    certificate = (
        _builder("PaiTai", authority[0].subject, key, now, SERVER_DAYS)
        .add_extension(x509.SubjectAlternativeName(wanted), critical=False)
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), critical=False)
        .add_extension(x509.AuthorityKeyIdentifier.from_issuer_public_key(authority[1].public_key()), critical=False)
    )
    put_file(files.key, _pem(key))
    put_file(files.chain, _sign(certificate, authority[1]) + files.authority.read_bytes())
    return files


def _fits(certificate: x509.Certificate, names: Sequence[str], now: datetime) -> bool:
    from cryptography import x509

    try:
        alternatives = certificate.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    except x509.ExtensionNotFound:
        return False
    known = {*alternatives.get_values_for_type(x509.DNSName)}
    known |= {str(address) for address in alternatives.get_values_for_type(x509.IPAddress)}
    return set(names) <= known and certificate.not_valid_after_utc > now + timedelta(days=RENEW_DAYS)


def _authority(folder: Path, names: Sequence[str], now: datetime) -> tuple[x509.Certificate, EllipticCurvePrivateKey]:
    """The existing authority if it may sign for every name, else a new one."""
    from cryptography import x509
    from cryptography.hazmat.primitives.asymmetric.ec import EllipticCurvePrivateKey
    from cryptography.hazmat.primitives.serialization import load_pem_private_key

    path, key_path = folder / "authority.pem", folder / "authority.key"
    addresses = [ipaddress.ip_address(name) for name in names if _is_address(name)]
    hosts = [name for name in names if not _is_address(name)]
    certificate = _load(path)
    if certificate and key_path.is_file() and certificate.not_valid_after_utc > now + timedelta(days=SERVER_DAYS):
        permitted = certificate.extensions.get_extension_for_class(x509.NameConstraints).value.permitted_subtrees or ()
        networks = [name.value for name in permitted if isinstance(name, x509.IPAddress)]
        domains = {name.value for name in permitted if isinstance(name, x509.DNSName)}
        covered = all(any(address in network for network in networks) for address in addresses)  # type: ignore[operator]
        key = load_pem_private_key(key_path.read_bytes(), password=None)
        if covered and set(hosts) <= domains and isinstance(key, EllipticCurvePrivateKey):
            return certificate, key
    own = [ipaddress.ip_network(str(address)) for address in addresses]
    permitted = [x509.IPAddress(network) for network in {*map(ipaddress.ip_network, LOCAL_NETWORKS), *own}]
    allowed: list[x509.GeneralName] = [*permitted, *map(x509.DNSName, hosts)]
    fresh = _new_key()
    usage = x509.KeyUsage(
        digital_signature=False,
        content_commitment=False,
        key_encipherment=False,
        data_encipherment=False,
        key_agreement=False,
        key_cert_sign=True,
        crl_sign=True,
        encipher_only=False,
        decipher_only=False,
    )
    builder = (
        _builder("PaiTai (this computer only)", None, fresh, now, AUTHORITY_DAYS)
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .add_extension(x509.NameConstraints(permitted_subtrees=allowed, excluded_subtrees=None), critical=True)
        .add_extension(usage, critical=True)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(fresh.public_key()), critical=False)
    )
    put_file(key_path, _pem(fresh))
    put_file(path, _sign(builder, fresh))
    certificate = _load(path)
    assert certificate is not None
    return certificate, fresh


def _builder(
    name: str, issuer: x509.Name | None, key: EllipticCurvePrivateKey, now: datetime, days: int
) -> x509.CertificateBuilder:
    from cryptography import x509

    subject = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, name)])
    start = now - timedelta(days=1)  # a phone's clock may be behind
    return (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(issuer or subject)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(start)
        .not_valid_after(start + timedelta(days=days))
    )


def _sign(builder: x509.CertificateBuilder, key: EllipticCurvePrivateKey) -> bytes:
    from cryptography.hazmat.primitives.hashes import SHA256
    from cryptography.hazmat.primitives.serialization import Encoding

    return builder.sign(key, SHA256()).public_bytes(Encoding.PEM)


def _new_key() -> EllipticCurvePrivateKey:
    from cryptography.hazmat.primitives.asymmetric import ec

    return ec.generate_private_key(ec.SECP256R1())


def _pem(key: EllipticCurvePrivateKey) -> bytes:
    from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

    return key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())


def _load(path: Path) -> x509.Certificate | None:
    """The first certificate of a file, None if no certificate can be read."""
    from cryptography import x509

    try:
        return x509.load_pem_x509_certificate(path.read_bytes())
    except (OSError, ValueError):
        return None


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


def _general_name(name: str) -> x509.GeneralName:
    from cryptography import x509

    return x509.IPAddress(ipaddress.ip_address(name)) if _is_address(name) else x509.DNSName(name)
