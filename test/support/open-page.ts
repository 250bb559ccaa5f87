import type { Browser, Page } from 'puppeteer';

/** A new page. What is waited for on it may take as long as a test: busy machines take longer than puppeteer's 30 s. */
export async function openPage(browser: Browser): Promise<Page> {
  const page = await browser.newPage();
  page.setDefaultTimeout(0);
  return page;
}
