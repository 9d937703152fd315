import { readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { capture } from '../../lib/child.mjs'
import { inRoot } from '../../lib/paths.mjs'
import { Failure } from '../../lib/say.mjs'

/** The libraries that become part of the runtime, as Debian packages, with their licenses. */
const LIBRARIES = {
  'libsquashfuse-dev': 'BSD-2-Clause',
  'libfuse3-dev': 'LGPL-2.1-only',
  'libzstd-dev': 'BSD-3-Clause',
  'libc6-dev': 'LGPL-2.1-or-later',
}

/** What compiling the runtime needs: the Debian package of each program, and of each file by its path. */
export const RUNTIME_NEEDS = {
  gcc: 'gcc',
  '/usr/include/squashfuse/ll.h': 'libsquashfuse-dev',
  '/usr/include/fuse3/fuse_lowlevel.h': 'libfuse3-dev',
  '/usr/include/zstd.h': 'libzstd-dev',
  '/usr/include/elf.h': 'libc6-dev',
}

const WARNINGS = ['-Wall', '-Wextra', '-Werror']
const HARDENING = [
  '-D_FORTIFY_SOURCE=2',
  '-fstack-protector-strong',
  '-static-pie',
  '-Wl,-z,relro,-z,now,-z,noexecstack',
]
const SMALL = ['-O2', '-ffunction-sections', '-fdata-sections', '-Wl,--gc-sections,--strip-all']
const LINKED = ['-lsquashfuse_ll', '-lsquashfuse', '-lfuse3', '-lzstd', '-lpthread']

/** The bytes at offset 8 that mark a type 2 AppImage: https://github.com/AppImage/AppImageSpec. */
const MAGIC = Buffer.from('AI\x02', 'latin1')

/** Compiles the program that an AppImage begins with. It needs nothing from the system that it runs on. */
export async function compileRuntime(version) {
  const folder = inRoot('scripts', 'packages', 'app-image', 'runtime')
  const sources = (await readdir(folder)).filter((name) => name.endsWith('.c')).sort()
  const target = inRoot('dist', 'app-image-runtime')
  const options = ['-std=gnu17', ...WARNINGS, ...HARDENING, ...SMALL, `-DVERSION="${version}"`]
  const include = ['-I/usr/include/squashfuse', '-I/usr/include/fuse3']
  const files = sources.map((name) => join(folder, name))
  const { code, output } = await capture('gcc', [...options, ...include, ...files, ...LINKED, '-o', target])
  if (code !== 0) throw new Failure(`Its runtime could not be compiled:\n${output}`)
  const runtime = await readFile(target)
  await rm(target)
  MAGIC.copy(runtime, 8)
  return runtime
}

/**
 * The libraries that are linked into the runtime here; `reference` is a purl.
 *
 * @returns {Promise<{ name: string, version: string, license: string, reference: string }[]>}
 */
export async function librariesOfRuntime() {
  const format = '--showformat=${Package} ${Version}\n'
  const { code, stdout, output } = await capture('dpkg-query', ['--show', format, ...Object.keys(LIBRARIES)])
  if (code !== 0) throw new Failure(`The contents of the AppImage’s runtime are not known:\n${output}`)
  const [, system] = /^ID=(\w+)$/m.exec(await readFile('/etc/os-release', 'utf8')) ?? []
  return [...stdout.matchAll(/^(\S+) (\S+)$/gm)].map(([, name, version]) => {
    const reference = `pkg:deb/${system}/${name}@${encodeURIComponent(version)}`
    return { name, version, license: LIBRARIES[name], reference }
  })
}

/** The licenses of the libraries linked into the runtime. Throws if the text of one isn't here. */
export async function noticesOfRuntime() {
  const head =
    'The program that starts this AppImage is linked with the libraries below, as packaged by Debian or a derivative. ' +
    'To link it with other libraries, see how it is built: scripts/packages/app-image in the sources of Sluice.'
  const notices = (await librariesOfRuntime()).map(async ({ name, version, license }) => {
    const text = await readFile(`/usr/share/doc/${name}/copyright`, 'utf8')
    return `${name} ${version} (${license})\n\n${text.trim()}`
  })
  return `${[head, ...(await Promise.all(notices))].join(`\n\n${'-'.repeat(80)}\n\n`)}\n`
}
