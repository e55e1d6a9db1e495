"""`paitai doctor`: what this computer lacks for PaiTai, each with the way out."""
