"""Models that several files of tests ask about: each is learned once."""

import pytest

from integration.customers import fit_customers


@pytest.fixture(scope="session")
def customers_folder(tmp_path_factory):
    """Return a folder with a table of customers, a model learned from it, and what `fit` said."""
    return fit_customers(tmp_path_factory.mktemp("customers"))


@pytest.fixture(scope="session")
def customers_model(customers_folder):
    """Return the file of that model."""
    return customers_folder / "churn.ruleplay"
