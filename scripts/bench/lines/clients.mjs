import { join } from 'node:path'

// How each client is asked for the same transfer on a line. Sluice gets no options.
// { endpoint, bucket, key, path, folder, cli }: `path` is the source of an upload and the target of a download, `folder`
// this client's own, the same for a command and its repetition. A key that ends in `/` is a folder of objects.

const SLUICE = {
  name: 'sluice',
  command: ({ way, endpoint, bucket, key, path, folder, cli }) => ({
    argv: [process.execPath, cli, ...(way === 'up' ? ['put', path, key] : ['get', key, path]), '--json'],
    env: { SLUICE_STATE_DIR: join(folder, 'state'), SLUICE_ENDPOINT: endpoint, SLUICE_BUCKET: bucket },
  }),
}

const CURL = {
  name: 'curl',
  command: ({ way, endpoint, bucket, key, path }) => ({
    argv: ['curl', '-fsS', ...(way === 'up' ? ['-T', path] : ['-C', '-', '-o', path]), `${endpoint}/${bucket}/${key}`],
  }),
}

export const LINE_CLIENTS = [SLUICE, CURL]
