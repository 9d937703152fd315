/**
 * Gives the windows of this worker a screen of their own, where `npm test` made several: on one, those that run at the
 * same time would take the focus from each other.
 */
const screens = (process.env['SLUICE_TEST_DISPLAYS'] ?? '').split(' ')
const own = screens[Number(process.env['VITEST_POOL_ID']) - 1]
if (own) process.env['DISPLAY'] = own
