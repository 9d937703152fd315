import { writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { capture, onPath } from '../../lib/child.mjs'
import { root } from '../../lib/paths.mjs'
import { UPLOAD_CLIENTS } from './upload-clients.mjs'

// The commands by which each client does the same thing. Sluice gets no options; the peers get those that make them
// fast. A file: { url, target, streams, certFile, folder }. Many: { origin, prefix, names, target, folder }.
// `folder` is empty and used for this run only.

const ARIA2 = ['aria2c', '--no-conf', '-q', '--allow-overwrite=true', '--file-allocation=none']
const RCLONE = ['rclone', '--config', '', '-q', '--retries', '10']

/** Sluice as built in a checkout. */
export const sluiceIn = (checkout, name = 'sluice') => ({
  name,
  isOurs: checkout === root,
  program: process.execPath,
  label: () => name,
  manyLabel: name,
  file: ({ url, target, certFile, folder }) => ({
    argv: [process.execPath, join(checkout, 'out', 'cli.js'), 'get', url, target],
    env: { SLUICE_STATE_DIR: join(folder, 'state'), ...(certFile ? { NODE_EXTRA_CA_CERTS: certFile } : {}) },
  }),
  many: ({ origin, prefix, target, folder }) => ({
    argv: [process.execPath, join(checkout, 'out', 'cli.js'), 'get', `${prefix}/`, target],
    env: { SLUICE_STATE_DIR: join(folder, 'state'), SLUICE_ENDPOINT: origin, SLUICE_BUCKET: 'demo' },
  }),
})

const CURL = {
  name: 'curl',
  program: 'curl',
  file: ({ url, target, certFile }) => ({
    argv: ['curl', '-fsS', ...(certFile ? ['--cacert', certFile] : []), '-C', '-', '-o', target, url],
  }),
  manyLabel: 'curl -Z',
  async many({ origin, prefix, names, target, folder }) {
    const list = join(folder, 'curl.conf')
    const entry = (name) => `url = "${origin}/demo/${prefix}/${name}"\noutput = "${join(target, name)}"\n`
    await writeFile(list, names.map(entry).join(''))
    return { argv: ['curl', '-fsS', '-Z', '-K', list] }
  },
}

const ARIA2C = {
  name: 'aria2c',
  program: 'aria2c',
  label: ({ streams }) => `aria2c -x${streams} -s${streams}`,
  file: ({ url, target, streams, certFile }) => ({
    argv: [
      ...[...ARIA2, `-x${streams}`, `-s${streams}`, '-c'],
      ...(certFile ? [`--ca-certificate=${certFile}`] : []),
      ...['-d', dirname(target), '-o', basename(target), url],
    ],
  }),
  manyLabel: 'aria2c -j32',
  async many({ origin, prefix, names, target, folder }) {
    const list = join(folder, 'aria2.list')
    await writeFile(list, names.map((name) => `${origin}/demo/${prefix}/${name}\n`).join(''))
    return { argv: [...ARIA2, '-j32', '-i', list, '-d', target] }
  },
}

const rcloneMany = ({ origin, prefix, target }, ...more) => ({
  argv: [...RCLONE, '--http-url', origin, '--transfers', '32', '--checkers', '32', ...more].concat([
    ...['copy', `:http:demo/${prefix}/`, target, '--exclude', 'index.html'],
  ]),
})

const RCLONE_CLIENT = {
  name: 'rclone',
  program: 'rclone',
  label: ({ streams }) => `rclone, ${streams} streams`,
  file: ({ url, target, streams, certFile }) => {
    const { origin, pathname } = new URL(url)
    return {
      argv: [
        ...[...RCLONE, '--http-url', origin, '--multi-thread-streams', String(streams)],
        ...['--multi-thread-cutoff', '1M', ...(certFile ? ['--ca-cert', certFile] : [])],
        ...['copyto', `:http:${pathname.slice(1)}`, target],
      ],
    }
  },
  manyLabel: 'rclone --transfers 32',
  many: (job) => rcloneMany(job),
}

const RCLONE_NO_HEAD = {
  name: 'rclone-no-head',
  program: 'rclone',
  manyLabel: 'rclone --transfers 32, no HEADs',
  many: (job) => rcloneMany(job, '--http-no-head'),
}

const WGET = {
  name: 'wget',
  program: 'wget',
  file: ({ url, target, certFile }) => ({
    argv: ['wget', '-q', '-c', ...(certFile ? [`--ca-certificate=${certFile}`] : []), '-O', target, url],
  }),
  manyLabel: 'wget -i',
  async many({ origin, prefix, names, target, folder }) {
    const list = join(folder, 'wget.list')
    await writeFile(list, names.map((name) => `${origin}/demo/${prefix}/${name}\n`).join(''))
    return { argv: ['wget', '-q', '-i', list, '-P', target] }
  },
}

const AWS = {
  name: 'aws',
  program: 'aws',
  label: ({ streams }) => `aws s3 cp, ${streams} at a time`,
  async file({ url, target, streams, certFile, folder }) {
    const { origin, pathname } = new URL(url)
    const configFile = join(folder, 'aws.config')
    await writeFile(configFile, `[default]\nregion = us-east-1\ns3 =\n  max_concurrent_requests = ${streams}\n`)
    return {
      argv: [
        ...['aws', 's3', 'cp', '--only-show-errors', '--no-sign-request', '--endpoint-url', origin],
        ...[...(certFile ? ['--ca-bundle', certFile] : []), `s3:/${pathname}`, target],
      ],
      env: { AWS_CONFIG_FILE: configFile },
    }
  },
}

export const CLIENTS = [sluiceIn(root), CURL, ARIA2C, RCLONE_CLIENT, RCLONE_NO_HEAD, WGET, AWS]

/** The clients with the first line that each prints about its version; null: not installed. */
export async function findVersions() {
  const versions = new Map()
  for (const { program } of [...CLIENTS, ...UPLOAD_CLIENTS]) {
    if (versions.has(program)) continue
    const isThere = program === process.execPath || onPath(program)
    const { stdout, output } = isThere ? await capture(program, ['--version']) : {}
    versions.set(program, isThere ? (stdout || output).split('\n')[0].trim() : null)
  }
  return versions
}
