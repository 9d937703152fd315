import { fetchFile } from './transfers.mjs'

/**
 * Downloads the file twice: undisturbed, and with one busy connection slowed down once 90 % have passed. `slowdown` is
 * the ratio of the two times.
 */
export async function tailRun(world, scenario, client, proxy) {
  const source = await world.source(scenario.sizeBytes)
  const ideal = await fetchFile(world, scenario, client, source, proxy)
  void slowOne(proxy, 'bytesToClient', source.sizeBytes, scenario.throttleBytesPerSecond)
  const run = await fetchFile(world, scenario, client, source, proxy)
  return { ...run, slowdown: run.seconds / ideal.seconds, failure: ideal.failure ?? run.failure }
}

/**
 * Once 90 % of `sizeBytes` have passed in one direction from now on, slows down one connection: of those that carried
 * something recently, the one that has carried the least, because its work lasts longest.
 */
export async function slowOne(proxy, way, sizeBytes, bytesPerSecond) {
  const bytesBefore = proxy[way]
  const passed = (bytes) => (way === 'bytesToClient' ? proxy.passed(bytes) : proxy.passedToTarget(bytes))
  await passed(bytesBefore + sizeBytes * 0.88)
  const then = new Map(proxy.connections.map((connection) => [connection, connection[way]]))
  await passed(bytesBefore + sizeBytes * 0.9)
  const [victim] = proxy.connections
    .filter((connection) => connection[way] > (then.get(connection) ?? 0))
    .sort((one, other) => one[way] - other[way])
  victim?.limit(bytesPerSecond)
}
