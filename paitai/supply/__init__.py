"""What PaiTai is made of: its libraries and networks, with versions and licences."""
