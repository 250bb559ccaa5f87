/** Fonts for the Chrome that npm carries. Without fonts its pages have no text, and elements that hold text no size. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Writes a configuration of fontconfig with the carried fonts besides the system's. If the system has fonts, its
 * configuration decides which of them a page gets.
 *
 * @param folder a folder for the configuration and for the cache that fontconfig writes
 * @param fonts the folder of the carried fonts
 * @param env may name the system's configuration in FONTCONFIG_FILE and FONTCONFIG_PATH
 * @returns the environment variables that make Chrome read it
 */
export function configureFonts(
  folder: string,
  fonts: string,
  env: NodeJS.ProcessEnv,
): { readonly FONTCONFIG_FILE: string } {
  const file = join(folder, 'fonts.conf');
  // An empty variable counts as unset. A bare name is looked for in FONTCONFIG_PATH and then in /etc/fonts.
  const systems = env.FONTCONFIG_FILE || 'fonts.conf';
  // fontconfig puts its cache into the first folder that it can write to. This one is removed with Chrome.
  const text = `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "urn:fontconfig:fonts.dtd">
<fontconfig>
  <cachedir>${escaped(join(folder, 'fonts-cache'))}</cachedir>
  <include ignore_missing="yes">${escaped(systems)}</include>
  <dir>${escaped(fonts)}</dir>
</fontconfig>
`;
  writeFileSync(file, text, { flag: 'wx' });
  return { FONTCONFIG_FILE: file };
}

const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
