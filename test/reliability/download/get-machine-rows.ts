/** The other rows that concern GET: what the machine does to a download. By name, with the test that plays them. */
export const MACHINE_ROWS: Readonly<Record<string, { readonly file: string; readonly test: string }>> = {
  'DNS failure / offline': { file: 'reliability/download/download-network.test.ts', test: 'T53:' },
  'TLS error': { file: 'reliability/download/download-network.test.ts', test: 'T68:' },
  'Disk full (data or DB volume)': { file: 'reliability/download/download-disk.test.ts', test: 'T56:' },
  'Read-only folder / EACCES / EROFS': { file: 'reliability/download/download-disk.test.ts', test: 'T57:' },
  'Removed drive': { file: 'engine/download/resume.test.ts', test: 'a missing folder may be a drive that comes back' },
  'Target renamed/deleted/folder gone': {
    file: 'reliability/download/download-disk.test.ts',
    test: 'T57: a folder deleted',
  },
  'Target appears meanwhile': { file: 'reliability/download/download-disk.test.ts', test: 'T29:' },
  'Power loss / kill -9 anywhere': { file: 'crash/kill-cli.test.ts', test: 'kill' },
  'Corrupt DB': { file: 'engine/checkpoint/sqlite-checkpoint-store.test.ts', test: 'garbage' },
  'Old / newer state schema': { file: 'engine/checkpoint/sqlite-checkpoint-store.test.ts', test: 'newer' },
  'Two app instances': { file: 'reliability/download/download-cli.test.ts', test: 'T59:' },
  'Sleep/wake': { file: 'reliability/download/download-network.test.ts', test: 'T54:' },
  'Network switch / VPN': { file: 'reliability/download/download-network.test.ts', test: 'T54:' },
  'Time jump': { file: 'reliability/download/download-network.test.ts', test: 'T55:' },
}
