// What counts as used. Run twice: as all of it, and as what ships.

/** What is tested by itself ships inside of its file, and is exported all the same. */
const ships = process.argv.includes('--production')

export default {
  entry: [
    'electron/main.ts!',
    'electron/cli.ts!',
    'electron/preload.ts!',
    'electron/demo-store/own-process.ts!',
    'electron/engine/hashing/hash-worker.ts!',
    'electron/engine/folders/download/small-file-worker.ts!',
    'electron/engine/folders/upload/source-files-worker.ts!',
    'renderer/app/main.tsx!',
    'scripts/*.mjs',
    'scripts/packages/draw-icons.mjs',
    'scripts/bench/servers/node-server.mjs',
    'scripts/bench/kinds/{loop-monitor,upload-crowd,engine-parts}.mjs',
    'scripts/bench/lines/line/listen-here.mjs',
    'scripts/lib/electron/{electron-types.mjs,default-app/main.js}',
    'scripts/lib/lint/types-and-lint.mjs',
    'test/**/*.{test,child}.{ts,tsx}',
  ],
  project: ['{electron,shared,renderer}/**/*.{ts,tsx}!', 'test/**/*.{ts,tsx}', 'scripts/**/*.{js,mjs}'],
  ignoreDependencies: ['dependency-cruiser', 'prettier'],
  ignoreBinaries: [
    'bindfs',
    'dbus-daemon',
    'Xvfb',
    'gnome-keyring-daemon',
    'mkfifo',
    'nginx',
    'openbox',
    'umount',
    'unshare',
  ],
  exclude: ['duplicates'],
  ignoreExportsUsedInFile: ships || { interface: true, type: true },
}
