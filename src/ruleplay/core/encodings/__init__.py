"""Ways to encode a hyperrectangle in alleles, one file each."""
