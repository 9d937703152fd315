import { basename, dirname, join } from 'node:path'
import { UPLOAD_CLIENTS } from '../clients/upload-clients.mjs'

// The commands by which each client does the same transfer on a line. Sluice gets no options; a peer gets those that
// make it good. { way, target, key, path, folder, cli }: `path` is the source of an upload or the target of a download;
// `folder` is this client's own, the same for a command and its repetition. Folders end in `/`. `target` is the service
// as reached over the line. `needs` is the service that a client can use in a direction; null: it can't.

/** Requests at a time, for peers that need to be told. */
const STREAMS = 4
const FOLDER_STREAMS = 8

const peers = Object.fromEntries(UPLOAD_CLIENTS.map((client) => [client.name, client]))

const SLUICE = {
  name: 'sluice',
  takesFolders: true,
  needs: () => 'any',
  command: ({ way, target, key, path, folder, cli }) => ({
    argv: [process.execPath, cli, ...(way === 'up' ? ['put', path, key] : ['get', key, path]), '--json'],
    env: {
      SLUICE_STATE_DIR: join(folder, 'state'),
      SLUICE_ENDPOINT: target.endpoint,
      SLUICE_BUCKET: target.bucket,
      ...(target.kind === 's3' && {
        SLUICE_DIALECT: 's3',
        SLUICE_ACCESS_KEY: target.accessKey,
        SLUICE_SECRET_KEY: target.secretKey,
      }),
    },
  }),
}

const CURL = {
  name: 'curl',
  needs: () => 'demo',
  command: ({ way, target, key, path }) => ({
    argv: [
      ...['curl', '-fsS', ...(way === 'up' ? ['-T', path] : ['-C', '-', '-o', path])],
      `${target.endpoint}/${target.bucket}/${key}`,
    ],
  }),
}

const ARIA2C = {
  name: 'aria2c',
  needs: (way) => (way === 'down' ? 'demo' : null),
  command: ({ target, key, path }) => ({
    argv: [
      ...['aria2c', '--no-conf', '-q', '--allow-overwrite=true', '--file-allocation=none', '-c', `-x${STREAMS}`],
      ...[`-s${STREAMS}`, '-d', dirname(path), '-o', basename(path), `${target.endpoint}/${target.bucket}/${key}`],
    ],
  }),
}

const s3Peer = (name) => ({
  name,
  needs: () => 's3',
  command: ({ way, target, key, path, folder }) =>
    way === 'up'
      ? peers[name].file({ target, source: path, key, streams: STREAMS, folder })
      : peers[name].back({ target, key, path, streams: STREAMS, folder }),
})

const RCLONE = s3Peer('rclone')
const AWS = s3Peer('aws')
const S3CMD = s3Peer('s3cmd')

/** The commands for folders of the peers that can transfer one. */
const FOLDERS = {
  async rclone({ way, target, key, path }) {
    const { argv, env } = await peers.rclone.many({ target, source: path, prefix: key.slice(0, -1) })
    const [from, to] = argv.slice(-2)
    const words = argv.slice(0, -2).map((word) => (word === '32' ? String(FOLDER_STREAMS) : word))
    return { argv: [...words, ...(way === 'up' ? [from, `${to}photos/`] : [to, path])], env }
  },
  async aws({ way, target, key, path, folder }) {
    const job = { target, streams: FOLDER_STREAMS, folder }
    const { argv, env } = await (way === 'up'
      ? peers.aws.file({ ...job, source: path, key: `${key}photos/` })
      : peers.aws.back({ ...job, key, path }))
    return { argv: [...argv, '--recursive'], env }
  },
}

export const LINE_CLIENTS = [SLUICE, CURL, ARIA2C, RCLONE, AWS, S3CMD]

/** The client for another of our commits, built elsewhere. */
export function otherSluice({ name, cli }) {
  return { ...SLUICE, name, command: (job) => SLUICE.command({ ...job, cli }) }
}

/** The command for a client's transfer of a file or folder. */
export function commandOf(client, job) {
  return job.key.endsWith('/') && !client.takesFolders ? FOLDERS[client.name](job) : client.command(job)
}

/** Why a client can't take part in a transfer; null if it can. */
export function whyNot(client, { way, isFolder, services }) {
  const needs = client.needs(way)
  if (needs === null) return 'it only downloads'
  if (isFolder && !client.takesFolders && FOLDERS[client.name] === undefined) return 'it can’t transfer folders'
  return needs === 'any' || services.includes(needs) ? null : `there is no ${needs} service`
}
