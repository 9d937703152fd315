import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { MIB } from '../../shared/limits.ts'
import { signal } from '../stores/support/open-store.ts'
import { sha256Of, writeRandomFile } from '../support/tools/random-file.ts'
import { runCli } from '../support/tools/run-cli.ts'
import { startTcpProxy } from '../support/proxies/tcp-proxy.ts'
import { tempDir } from '../support/tools/temp-dir.ts'
import { describeOnServers } from './support/servers.ts'
import { allParts, isInstalled } from './support/world.ts'

const TOOLS = [
  {
    name: 'aws',
    isThere: await isInstalled('aws', '--version'),
    upload: (source: string, bucket: string, key: string, endpoint: string) => [
      ...['s3', 'cp', '--quiet', '--endpoint-url', endpoint, source, `s3://${bucket}/${key}`],
    ],
  },
  {
    name: 'rclone',
    isThere: await isInstalled('rclone', 'version'),
    upload: (source: string, bucket: string, key: string) => ['copyto', '-q', source, `GW:${bucket}/${key}`],
  },
]

/** By default aws sends all parts of so small a file side by side, and the first is whole when nearly all bytes are sent. */
const TWO_PARTS_AT_A_TIME = '[default]\ns3 =\n  max_concurrent_requests = 2\n'

describeOnServers('adoption', (createWorld) => {
  test.for(TOOLS)(
    'finishes an upload that $name began, with what is missing alone',
    async ({ name, isThere, upload }, { skip }) => {
      skip(!isThere, `${name} is not installed`)
      const { bucket, store, environment, server } = await createWorld()
      const folder = await tempDir()
      const source = join(folder, 'source.bin')
      const sha256 = await writeRandomFile(source, 60 * MIB + 7)
      const targetPort = Number(new URL(server.endpoint).port)
      const narrow = await startTcpProxy({ targetPort, totalBytesPerSecond: 10 * MIB })
      onTestFinished(() => narrow.close())
      const key = 'big file+.bin'
      const awsConfig = join(folder, 'aws.conf')
      await writeFile(awsConfig, TWO_PARTS_AT_A_TIME)
      const files = { AWS_CONFIG_FILE: awsConfig, RCLONE_CONFIG: join(folder, 'none.conf') }
      const env = { ...process.env, ...environment(narrow.endpoint), ...files }
      const child = spawn(name, upload(source, bucket, key, narrow.endpoint), {
        env,
        stdio: ['ignore', 'ignore', 'inherit'],
      })
      const partCount = async () => {
        const [open] = (await store.listMultipartUploads({ prefix: key, signal })).uploads
        return open === undefined ? 0 : (await allParts(store, open)).parts.length
      }
      await narrow.passedToTarget(40 * MIB)
      narrow.limit(0)
      await expect.poll(partCount).toBeGreaterThanOrEqual(2)
      child.kill('SIGKILL')
      await once(child, 'close')
      const wide = await startTcpProxy({ targetPort })
      onTestFinished(() => wide.close())
      const state = ['--state-dir', join(folder, 'state')]
      const put = await runCli(['put', source, key, ...state], environment(wide.endpoint))
      expect(put).toMatchObject({ status: 0 })
      expect(wide.bytesToTarget).toBeLessThan(52 * MIB)
      expect((await store.listMultipartUploads({ signal })).uploads).toEqual([])
      const copy = join(folder, 'copy.bin')
      expect(await runCli(['get', key, copy, ...state], environment())).toMatchObject({ status: 0 })
      expect(await sha256Of(copy)).toBe(sha256)
    },
  )
})
