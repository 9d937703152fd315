import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import S3rver from '@20minutes/s3rver'
import type { RunningServer } from './server-access.ts'

/** Starts the S3 server that npm installs, on a folder of its own. */
export async function startS3rver(): Promise<RunningServer> {
  const directory = await mkdtemp(join(tmpdir(), 'sluice-s3rver-'))
  const server = new S3rver({ address: '127.0.0.1', port: 0, directory, silent: true, vhostBuckets: false })
  const { port } = await server.run()
  return {
    // It has one key, of its own choosing.
    access: {
      ...{ endpoint: `http://127.0.0.1:${port}`, region: 'us-east-1' },
      ...{ accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' },
    },
    stop: async () => {
      server.httpServer.closeAllConnections()
      await server.close()
      await rm(directory, { recursive: true })
    },
  }
}
