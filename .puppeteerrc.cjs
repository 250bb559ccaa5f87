// Chrome comes from an installed browser or from @sparticuz/chromium (npm), never from a download at install time.
module.exports = { skipDownload: true };
