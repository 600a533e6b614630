/** The picture of a chart as a file. */

/** Properties that style sheets set; a file has to carry them itself. */
const STYLES = ['fill', 'stroke', 'stroke-width', 'font-family', 'font-size', 'font-weight', 'text-anchor'];
const SPACE = 16;
const TITLE_HEIGHT = 40;
const PIXELS = 2;
const SVG_NAMES = 'http://www.w3.org/2000/svg';

const sizeOf = (svg: SVGSVGElement) => ({
  width: svg.viewBox.baseVal.width + 2 * SPACE,
  height: svg.viewBox.baseVal.height + TITLE_HEIGHT + SPACE,
});

function makeElement(name: string, attributes: Readonly<Record<string, string | number>>, text = ''): SVGElement {
  const element = document.createElementNS(SVG_NAMES, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value));
  element.textContent = text;
  return element;
}

/** Copies shapes and texts with their computed styles. Links become groups: their addresses are of this page. */
function copyOf(shown: Element): Element {
  const copy = makeElement(shown.localName === 'a' ? 'g' : shown.localName, {});
  for (const { name, value } of shown.attributes) if (!/^(class|href|role|aria-.*)$/.test(name)) copy.setAttribute(name, value);
  if (/^(rect|line|text)$/.test(shown.localName)) {
    const style = getComputedStyle(shown);
    for (const name of STYLES) if (!style.getPropertyValue(name).startsWith('url')) copy.setAttribute(name, style.getPropertyValue(name));
  }
  for (const child of shown.childNodes) copy.append(child instanceof Element ? copyOf(child) : (child.textContent ?? ''));
  return copy;
}

/** A chart as an SVG document that needs no style sheet, in the colours of the page, with its title. */
export function standaloneSvg(svg: SVGSVGElement, title: string): string {
  const { width, height } = sizeOf(svg);
  const page = getComputedStyle(document.body);
  const whole = makeElement('svg', { width, height, viewBox: `${-SPACE} ${-TITLE_HEIGHT} ${width} ${height}` });
  const font = { 'font-family': page.fontFamily, 'font-size': 16, 'font-weight': 600 };
  whole.append(
    makeElement('rect', { x: -SPACE, y: -TITLE_HEIGHT, width, height, fill: getComputedStyle(svg).backgroundColor }),
    makeElement('text', { x: 0, y: -16, fill: page.color, ...font }, title),
    ...[...svg.children].map(copyOf),
  );
  return new XMLSerializer().serializeToString(whole);
}

/** The same as pixels, at twice the size. @throws Error if the browser cannot render it */
export async function pngOf(svg: SVGSVGElement, title: string): Promise<Blob> {
  const { width, height } = sizeOf(svg);
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(standaloneSvg(svg, title))}`;
  await image.decode();
  const canvas = Object.assign(document.createElement('canvas'), { width: width * PIXELS, height: height * PIXELS });
  const context = canvas.getContext('2d');
  if (!context) throw new Error('This browser draws no pictures.');
  context.drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve, reject) =>
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('The picture could not be made.'))), 'image/png'),
  );
}

export const fileNameOf = (title: string) =>
  title
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, '-')
    .replaceAll(/^-|-$/g, '');
