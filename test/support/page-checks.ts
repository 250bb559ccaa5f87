/** What a page looks like and does with the keyboard, asked of the page itself. */
import type { Page } from 'puppeteer';

/** How much wider than the window the page is, in CSS pixels. */
export const excessOf = (page: Page) =>
  page.evaluate(() => document.documentElement.scrollWidth - innerWidth);

/** What has moved by itself since the page was opened, by the browser's own layout shifts, as `score: elements`. */
export const layoutShifts = (page: Page) =>
  page.evaluate(async () => {
    type Shift = PerformanceEntry & {
      readonly value: number;
      readonly hadRecentInput: boolean;
      readonly sources: readonly { readonly node: Node | null }[];
    };
    const found: Shift[] = [];
    const observer = new PerformanceObserver((list) => found.push(...(list.getEntries() as Shift[])));
    observer.observe({ type: 'layout-shift', buffered: true });
    // Buffered entries come with the next task.
    await new Promise((resolve) => setTimeout(resolve, 50));
    observer.disconnect();
    const nameOf = (node: Node | null) =>
      node instanceof Element ? `${node.tagName}#${node.id}.${node.className}` : '';
    return found
      .filter(({ value, hadRecentInput }) => value > 0 && !hadRecentInput)
      .map(
        ({ value, sources }) => `${value.toFixed(4)}: ${sources.map(({ node }) => nameOf(node)).join(', ')}`,
      );
  });

/** Visible texts with less contrast to what is behind them than 4.5 : 1 (WCAG 2.2, 1.4.3), as `text: contrast`. */
export const paleTexts = (page: Page) =>
  page.evaluate(() => {
    type Colour = readonly [number, number, number, number];
    const context = document.createElement('canvas').getContext('2d', { willReadFrequently: true })!;
    const known = new Map<string, Colour>();
    const read = (css: string): Colour => {
      let colour = known.get(css);
      if (colour === undefined) {
        context.clearRect(0, 0, 1, 1);
        context.fillStyle = css;
        context.fillRect(0, 0, 1, 1);
        const [r, g, b, a] = context.getImageData(0, 0, 1, 1).data;
        colour = [r!, g!, b!, a! / 255];
        known.set(css, colour);
      }
      return colour;
    };
    const over = (top: Colour, below: Colour): Colour => {
      const mix = (i: 0 | 1 | 2) => top[i] * top[3] + below[i] * (1 - top[3]);
      return [mix(0), mix(1), mix(2), 1];
    };
    const behind = (element: Element | null): Colour => {
      if (element === null)
        return matchMedia('(prefers-color-scheme: dark)').matches ? [18, 18, 18, 1] : [255, 255, 255, 1];
      const own = read(getComputedStyle(element).backgroundColor);
      return own[3] === 1 ? own : over(own, behind(element.parentElement));
    };
    const luminance = (colour: Colour) => {
      const linear = (v: number) =>
        v / 255 <= 0.04045 ? v / 255 / 12.92 : ((v / 255 + 0.055) / 1.055) ** 2.4;
      return 0.2126 * linear(colour[0]) + 0.7152 * linear(colour[1]) + 0.0722 * linear(colour[2]);
    };
    const pale: string[] = [];
    let looked = 0;
    for (const element of document.body.querySelectorAll('*')) {
      const text = [...element.childNodes].filter((node) => node.nodeType === Node.TEXT_NODE);
      const said = text
        .map((node) => node.textContent!.trim())
        .join(' ')
        .trim();
      if (said === '' || /^(SCRIPT|STYLE|TITLE)$/.test(element.tagName)) continue;
      if (!element.checkVisibility({ visibilityProperty: true, opacityProperty: true })) continue;
      // What cannot be used now may be pale.
      if (element.closest(':disabled, [aria-hidden="true"]')) continue;
      looked++;
      const [fore, back] = [getComputedStyle(element), behind(element)];
      const isSvg = element instanceof SVGElement;
      const ink = over(read(isSvg ? fore.fill : fore.color), back);
      const [light, dark] = [luminance(ink), luminance(back)].sort((a, b) => b - a);
      const contrast = (light! + 0.05) / (dark! + 0.05);
      if (contrast < 4.5) pale.push(`${said.slice(0, 40)}: ${contrast.toFixed(2)}`);
    }
    return looked < 5 ? [`only ${looked} texts are visible`] : pale;
  });

/**
 * Goes through the page with the Tab key. Returns controls that it does not reach, and those that do not show that they
 * have the focus.
 */
export async function keyboardFaults(page: Page): Promise<string[]> {
  const controls = await page.evaluate(() => {
    (document.activeElement as HTMLElement | null)?.blur();
    const all = 'a[href], button, input, select, textarea, summary, [tabindex="0"]';
    const seen = new Set<string>();
    const found = [...document.querySelectorAll<HTMLElement>(all)].filter((one) => {
      if (one.matches(':disabled, fieldset:disabled *') || !one.checkVisibility()) return false;
      // Tab goes to one of a group of radio buttons; arrow keys go to the others.
      const { type, name } = one as HTMLInputElement;
      if (type !== 'radio') return true;
      if (document.querySelector(`[name="${name}"]:checked`) !== null)
        return (one as HTMLInputElement).checked;
      return !seen.has(name) && seen.add(name).size > 0;
    });
    for (const [i, one] of found.entries()) one.dataset.control = `${i}`;
    const nameOf = (one: HTMLElement) =>
      `${one.tagName} ${one.id || (one as HTMLInputElement).name || one.textContent!.trim().slice(0, 30)}`;
    return found.map(nameOf);
  });
  const reached = new Set<number>();
  const unseen: string[] = [];
  // A few more: the page itself and frames in it take a turn.
  for (let press = 0; press < controls.length + 5 && reached.size < controls.length; press++) {
    await page.keyboard.press('Tab');
    const focus = await page.evaluate(() => {
      const one = document.activeElement as HTMLElement | null;
      if (one?.dataset.control === undefined) return undefined;
      const isMarked = (element: Element | null) => {
        const { outlineStyle, outlineWidth } = element
          ? getComputedStyle(element)
          : { outlineStyle: 'none', outlineWidth: '0' };
        return outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 2;
      };
      return {
        control: Number(one.dataset.control),
        isSeen: isMarked(one) || isMarked(one.closest('label')),
      };
    });
    if (focus === undefined || reached.has(focus.control)) continue;
    reached.add(focus.control);
    if (!focus.isSeen) unseen.push(`${controls[focus.control]}: no visible focus`);
  }
  return [...controls.filter((_, i) => !reached.has(i)).map((name) => `${name}: not reached`), ...unseen];
}
