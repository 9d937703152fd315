import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { startTcpProxy, type TcpProxyOptions } from './tcp-proxy.ts'

it('passes bytes both ways, half-closed connections included, and counts them', async () => {
  const { proxy, client } = await world({}, async (socket) => {
    const received = await buffer(socket)
    socket.end(Buffer.concat([received, received]))
  })
  client.end(Buffer.alloc(300_000, 7))
  expect((await buffer(client)).equals(Buffer.alloc(600_000, 7))).toBe(true)
  expect(proxy).toMatchObject({ bytesToTarget: 300_000, bytesToClient: 600_000, connectionCount: 1 })
  await expect.poll(() => proxy.connections).toEqual([])
})

it('delays each way, and a new connection by its handshake', async () => {
  const { client } = await world({ delayMs: 30 }, echo)
  const startedAtMs = performance.now()
  client.write('a')
  await once(client, 'data')
  const firstMs = performance.now()
  client.write('b')
  await once(client, 'data')
  // Timers never fire early by more than their grain of a millisecond.
  expect(firstMs - startedAtMs).toBeGreaterThan(4 * 30 - 5)
  expect(performance.now() - firstMs).toBeGreaterThan(2 * 30 - 5)
})

it('never passes more than the rate of a connection, nor of all of them', async () => {
  const each = { connectionBytesPerSecond: 1_000_000, totalBytesPerSecond: 1_500_000 }
  const { proxy, client } = await world(each, (socket) => void socket.end(Buffer.alloc(300_000)))
  const others = [open(proxy.port), open(proxy.port)]
  const startedAtMs = performance.now()
  await Promise.all([client, ...others].map(buffer))
  // 900 kB at 1.5 MB/s, less what a late timer is made up for.
  expect(performance.now() - startedAtMs).toBeGreaterThan(550)
})

it('resets the connection that carries every hundred-thousandth byte', async () => {
  const options = { resetEveryBytes: 100_000 }
  const { proxy, client } = await world(options, (socket) => void socket.end(Buffer.alloc(150_000)))
  for (const each of [client, open(proxy.port)]) {
    each.on('error', () => undefined).resume()
    await new Promise((resolve) => each.once('close', resolve).once('end', resolve))
    // Node takes a reset that comes after a short read for an end.
    expect(each.bytesRead).toBeLessThan(150_000)
  }
  expect(proxy).toMatchObject({ resetCount: 2, connections: [] })
})

it('passes a reset of the server on', async () => {
  const { client } = await world({}, (socket) => void socket.resetAndDestroy())
  await expect(buffer(client)).rejects.toMatchObject({ code: 'ECONNRESET' })
})

it('holds one connection back on demand, and lets it go again', async () => {
  const { proxy, client } = await world({}, echo)
  const other = open(proxy.port)
  client.write('a')
  await once(client, 'data')
  const [held] = proxy.connections
  held?.limit(0)
  client.write('b')
  other.write('c')
  await once(other, 'data')
  expect(held?.bytesToClient).toBe(1)
  held?.limit(null)
  const [bytes] = (await once(client, 'data')) as [Buffer]
  expect(String(bytes)).toBe('b')
})

it('passes nothing on later connections either once all are held back', async () => {
  const { proxy, client } = await world({}, echo)
  client.write('a')
  await once(client, 'data')
  proxy.limit(0)
  const later = open(proxy.port)
  later.write('b')
  client.write('c')
  await expect.poll(() => proxy.connectionCount).toBe(2)
  proxy.limit(null)
  await Promise.all([once(client, 'data'), once(later, 'data')])
  expect(proxy.bytesToClient).toBe(3)
})

it('tells when so many bytes have passed', async () => {
  const { proxy, client } = await world({}, echo)
  const passed = proxy.passed(200_000)
  client.resume().write(Buffer.alloc(200_000))
  await passed
  expect(proxy.bytesToClient).toBe(200_000)
})

function echo(socket: Socket): void {
  socket.pipe(socket)
}

/** A server that does `serve` with each connection, behind a proxy; and a client of it. */
async function world(options: Omit<TcpProxyOptions, 'targetPort'>, serve: (socket: Socket) => void | Promise<void>) {
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    socket.on('error', () => undefined)
    void serve(socket)
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const proxy = await startTcpProxy({ ...options, targetPort: (server.address() as AddressInfo).port })
  onTestFinished(async () => {
    await proxy.close()
    server.close()
  })
  return { proxy, client: open(proxy.port) }
}

/** All that arrives. Reading `buffer` of a socket would end both ways of it. */
async function buffer(socket: Socket): Promise<Buffer> {
  const blocks: Buffer[] = []
  for await (const block of socket.iterator({ destroyOnReturn: false })) blocks.push(block as Buffer)
  return Buffer.concat(blocks)
}

function open(port: number): Socket {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
  onTestFinished(() => void socket.destroy())
  return socket
}
