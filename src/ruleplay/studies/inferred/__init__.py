"""Which one set of readings of the paper's open choices explains all its printed cells best."""
