import { fetchFile } from './transfers.mjs'

/**
 * Downloads the file twice, undisturbed and with one busy connection slowed down once 90 % have passed. `slowdown` is
 * the ratio of the two times.
 */
export async function tailRun(world, scenario, client, proxy) {
  const source = await world.source(scenario.sizeBytes)
  const ideal = await fetchFile(world, scenario, client, source, proxy)
  void slowOne(proxy, proxy.bytesToClient, source.sizeBytes, scenario.throttleBytesPerSecond)
  const run = await fetchFile(world, scenario, client, source, proxy)
  return { ...run, slowdown: run.seconds / ideal.seconds, failure: ideal.failure ?? run.failure }
}

/** Of the connections that carried something lately the one that has carried least: its work lasts longest. */
async function slowOne(proxy, bytesBefore, sizeBytes, bytesPerSecond) {
  await proxy.passed(bytesBefore + sizeBytes * 0.88)
  const then = new Map(proxy.connections.map((connection) => [connection, connection.bytesToClient]))
  await proxy.passed(bytesBefore + sizeBytes * 0.9)
  const [victim] = proxy.connections
    .filter((connection) => connection.bytesToClient > (then.get(connection) ?? 0))
    .sort((one, other) => one.bytesToClient - other.bytesToClient)
  victim?.limit(bytesPerSecond)
}
