"""What is measured on a page: contrast of its texts, whether it fits, and what is drawn."""

# Each visible text with its contrast against what lies behind it, as WCAG 2 computes it.
CONTRASTS = """() => {
  const channels = (text) => {
    const numbers = text.match(/[\\d.]+/g).map(Number);
    const isMixed = text.startsWith("color("); // from 0 to 1
    return isMixed ? numbers.map((c, k) => (k < 3 ? 255 * c : c)) : numbers;
  };
  const light = ([r, g, b]) => {
    const [x, y, z] = [r, g, b].map((c) => c / 255)
      .map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4));
    return 0.2126 * x + 0.7152 * y + 0.0722 * z;
  };
  const behind = (element) => {
    for (let e = element; e; e = e.parentElement) {
      const colour = channels(getComputedStyle(e).backgroundColor);
      if (colour.length < 4 || colour[3] > 0.99) return colour;
    }
    return [255, 255, 255];
  };
  const found = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const element = walker.currentNode.parentElement;
    const text = walker.currentNode.textContent.trim();
    if (!text || element.closest("script, style, noscript, :disabled")) continue;
    if (!element.checkVisibility()) continue;
    const [a, b] = [light(channels(getComputedStyle(element).color)), light(behind(element))];
    const contrast = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    found.push([text.slice(0, 40), Math.round(100 * contrast) / 100]);
  }
  return found;
}"""

ENOUGH = 4.5  # WCAG AA for text of usual size


def faint_texts(page):
    """Return the texts that are hard to read, having looked at a good many."""
    found = page.evaluate(CONTRASTS)
    assert len(found) > 40
    return [item for item in found if item[1] < ENOUGH]


def overflow(page):
    """Return by how many pixels a page is wider than its window."""
    return page.evaluate("document.documentElement.scrollWidth - window.innerWidth")


def picture_of(canvas):
    """Return what a canvas shows once the next two frames are drawn."""
    return canvas.evaluate(
        """async (canvas) => {
          for (let k = 0; k < 2; k++) await new Promise(requestAnimationFrame);
          return canvas.toDataURL();
        }"""
    )
