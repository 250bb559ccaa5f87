/** Names of formats of contacts: the command line takes them without what writes them. */
export const CONTACT_FORMATS = ['csv', 'json', 'npy', 'vtp'] as const;
export type ContactFormat = (typeof CONTACT_FORMATS)[number];
