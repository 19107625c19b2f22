"""A real browser for the pages: Chromium, if it and Playwright are installed."""

import shutil

import pytest

FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
NAMES = ("chromium", "chromium-browser", "google-chrome", "chrome")


@pytest.fixture(scope="session")
def browser():
    playwright = pytest.importorskip(
        "playwright.sync_api", reason="browser tests need the package playwright"
    )
    path = next(filter(None, map(shutil.which, NAMES)), None)
    if path is None:
        pytest.skip("browser tests need Chromium, which is not installed")
    with playwright.sync_playwright() as driver:
        running = driver.chromium.launch(executable_path=path, args=list(FLAGS))
        yield running
        running.close()


class Visit:
    """A page in a browser window of its own, with what it complained about and asked for."""

    def __init__(self, browser, path, width=1280, **settings):
        self.context = browser.new_context(viewport={"width": width, "height": 900}, **settings)
        self.complaints, self.requests = [], []
        self.context.on("request", lambda request: self.requests.append(request.url))
        self.page = self.context.new_page()
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.on("console", self._note)
        self.page.set_default_timeout(20_000)
        self.page.goto(path.as_uri())

    def _note(self, message):
        if message.type in ("error", "warning"):
            self.complaints.append(message.text)

    def foreign_requests(self):
        own = ("file:", "data:", "blob:")
        return [address for address in self.requests if not address.startswith(own)]


def open_visits(browser):
    """Open pages; none may complain, or ask for anything that is not in the page."""
    visits = []

    def open_page(path, **settings):
        visits.append(Visit(browser, path, **settings))
        return visits[-1].page

    yield open_page
    for made in visits:
        made.context.close()
        assert made.complaints == []
        assert made.foreign_requests() == []
        assert len(made.requests) >= 1


visit = pytest.fixture(open_visits)
long_visit = pytest.fixture(open_visits, scope="module")  # for tests that share a page
