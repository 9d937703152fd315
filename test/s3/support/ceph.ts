import { execFile } from 'node:child_process'
import { access, mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { freePort } from './free-port.ts'
import type { RunningServer, ServerAccess } from './server-access.ts'

const run = promisify(execFile)
const STARTS = 5
const SIBLING = fileURLToPath(new URL('../../../../shared/tools/ceph-rgw', import.meta.url))

/**
 * Takes the gateway that SLUICE_S3_ENDPOINT names (with SLUICE_S3_ACCESS_KEY, SLUICE_S3_SECRET_KEY and
 * SLUICE_S3_REGION), or starts Ceph with the script that SLUICE_CEPH_RGW names, else with the one beside the project.
 * Null: there is none.
 */
export async function startCeph(): Promise<RunningServer | null> {
  const given = givenGateway(process.env)
  if (given !== null) return { access: given, stop: async () => {} }
  const script = process.env['SLUICE_CEPH_RGW'] || SIBLING
  const reason = await whyNot(script)
  if (reason === null) return startBy(script, STARTS)
  console.warn(`Ceph’s tests are skipped: ${reason}`)
  return null
}

/** Starts it again if need be: now and then its OSD asks before it knows whom, is refused and gives up. */
async function startBy(script: string, startsLeft: number): Promise<RunningServer> {
  const folder = await mkdtemp(join(tmpdir(), 'sluice-ceph-'))
  const ports = { RGW_PORT: String(await freePort()), CEPH_MON_PORT: String(await freePort()) }
  const options = { env: { ...process.env, ...ports }, timeout: 300_000 }
  const stop = async () => {
    await run('bash', [script, 'down', folder], options)
  }
  try {
    const { stdout } = await run('bash', [script, 'up', folder], options)
    return { access: parseReport(stdout), stop }
  } catch (failure) {
    await stop()
    if (startsLeft === 1) throw failure
  }
  return startBy(script, startsLeft - 1)
}

function givenGateway(environment: NodeJS.ProcessEnv): ServerAccess | null {
  const endpoint = environment['SLUICE_S3_ENDPOINT']
  if (!endpoint) return null
  return {
    endpoint,
    accessKeyId: environment['SLUICE_S3_ACCESS_KEY'] ?? '',
    secretAccessKey: environment['SLUICE_S3_SECRET_KEY'] ?? '',
    region: environment['SLUICE_S3_REGION'] ?? '',
  }
}

async function whyNot(script: string): Promise<string | null> {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return 'starting it takes Linux and root.'
  const isThere = await access(script).then(
    () => true,
    () => false,
  )
  return isThere ? null : 'neither SLUICE_S3_ENDPOINT nor SLUICE_CEPH_RGW says where it is.'
}

/** `endpoint=… access_key=… secret_key=… region=…` on the last line. */
function parseReport(report: string): ServerAccess {
  const facts = new Map([...report.matchAll(/(\w+)=(\S+)/g)].map(([, name, value]) => [name, value ?? '']))
  const fact = (name: string) => facts.get(name) ?? ''
  return {
    endpoint: fact('endpoint'),
    accessKeyId: fact('access_key'),
    secretAccessKey: fact('secret_key'),
    region: fact('region'),
  }
}
