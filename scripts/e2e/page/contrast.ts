/**
 * What a page evaluates to name every text that is hard to read on what lies behind it: WCAG 2.2, 1.4.3, where 4.5 is
 * the least contrast of text of ordinary size.
 */
export const TEXT_OF_LOW_CONTRAST = `(() => {
  const pixel = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true });
  const seen = new Map();
  const read = (colour) => {
    pixel.clearRect(0, 0, 1, 1);
    pixel.fillStyle = colour;
    pixel.fillRect(0, 0, 1, 1);
    return pixel.getImageData(0, 0, 1, 1).data;
  };
  const rgba = (colour) => seen.get(colour) ?? seen.set(colour, read(colour)).get(colour);
  const linear = (part) => (part <= 10 ? part / 255 / 12.92 : ((part / 255 + 0.055) / 1.055) ** 2.4);
  const luminance = ([r, g, b]) => 0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b);
  const behind = (element) => {
    if (element === null) return [255, 255, 255];
    const colour = rgba(getComputedStyle(element).backgroundColor);
    return colour[3] === 255 ? colour : behind(element.parentElement);
  };
  const contrast = (element) => {
    const both = [luminance(rgba(getComputedStyle(element).color)), luminance(behind(element))];
    return (Math.max(...both) + 0.05) / (Math.min(...both) + 0.05);
  };
  const hasText = (element) => [...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim() !== '');
  return [...document.querySelectorAll('body, body *')]
    .filter((element) => hasText(element) && contrast(element) < 4.5)
    .map((element) => element.localName + '.' + element.className + ' ' + contrast(element).toFixed(1));
})()`;
