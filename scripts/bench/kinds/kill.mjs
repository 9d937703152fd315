import { join } from 'node:path'
import { start } from '../machine/measure.mjs'
import { sha256Of } from '../machine/sources.mjs'
import { fileCommand } from './transfers.mjs'

/**
 * Kills a client with SIGKILL when half of the file has passed the proxy, starts the same command again and lets it
 * finish. `againBytes` is what passed the proxy beyond the size of the file, including HTTP headers.
 */
export async function killAndResume(world, scenario, client, proxy) {
  const source = await world.source(scenario.sizeBytes)
  const scratch = await world.scratch()
  const command = await fileCommand(world, scenario, client, source, proxy, scratch)
  const first = start(command)
  await Promise.race([proxy.passed(source.sizeBytes / 2), first.ended])
  first.kill()
  const killed = await first.ended
  const second = await start(command).ended
  const isRight = second.status === 0 && (await sha256Of(join(scratch.path, 'arrived.bin'))) === source.sha256
  await scratch.remove()
  return {
    seconds: killed.seconds + second.seconds,
    againBytes: proxy.bytesToClient - source.sizeBytes,
    failure: isRight ? null : `ended with ${second.status}: ${second.said.trim().split('\n').at(-1)}`,
  }
}
