import { fork, spawn } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { capture, onPath } from '../../../lib/child.mjs'

/** Loopback addresses, the only ones that a demo store without keys answers on. Here the line lies between them. */
const CLIENT = '127.77.0.2'
const SERVER = '127.77.0.1'
const DISCARD_PORT = 9
const QUEUE_MS = 300
/** The rate during an outage: a packet would take minutes, so nothing useful passes. */
const NO_LINE = 'rate 8bit burst 32kb limit 32kb'

/** Why the kernel can't shape a line here; null if it can. */
export async function whyNoKernelLine() {
  for (const program of ['unshare', 'nsenter', 'ip', 'tc', 'bash']) {
    if (!onPath(program)) return `there is no ${program}`
  }
  const { code, output } = await capture('unshare', [
    '-n',
    'tc',
    ...'qdisc add dev lo root tbf'.split(' '),
    ...tbf(1e6),
  ])
  return code === 0 ? null : `no network namespace with a shaper: ${output.trim().split('\n')[0]}`
}

/**
 * Opens two network namespaces joined by a pair of interfaces, each of which shapes what it sends, in bytes a second.
 * The namespaces disappear with their processes.
 * @param listeners how many sockets listen in the server's namespace; their connections come to this process.
 */
export async function openKernelLine({ up, down, listeners }) {
  const client = spawn('unshare', ['-n', 'sleep', 'infinity'], { stdio: 'ignore' })
  const script = fileURLToPath(new URL('listen-here.mjs', import.meta.url))
  const server = fork(script, [String(listeners)], { execPath: 'unshare', execArgv: ['-n', process.execPath] })
  const inside = ({ pid }, words) => must('nsenter', ['-t', String(pid), '-n', ...words])
  const shape = (each, words, rate) =>
    inside(each, ['tc', 'qdisc', words, 'dev', 'line', 'root', 'tbf', ...(rate > 0 ? tbf(rate) : NO_LINE.split(' '))])
  // After an outage, the shaper waits minutes for the packet that it held up, whatever its new rate, unless another
  // packet comes, and TCP sends none while its own packets are still queued.
  const wake = (each, peer) => inside(each, ['bash', '-c', `echo > /dev/udp/${peer}/${DISCARD_PORT}`])
  const close = () => {
    if (server.connected) server.disconnect()
    client.kill('SIGKILL')
  }
  try {
    const servers = await received(server, listeners)
    await inside(client, `ip link add line type veth peer name line netns ${server.pid}`.split(' '))
    for (const [each, address, rate] of [
      [client, CLIENT, up],
      [server, SERVER, down],
    ]) {
      await inside(each, 'ip link set lo up'.split(' '))
      await inside(each, 'ip address change 127.0.0.1/32 dev lo'.split(' '))
      await inside(each, 'ip address delete 127.0.0.1/8 dev lo'.split(' '))
      await inside(each, ['sh', '-c', 'echo 1 > /proc/sys/net/ipv4/conf/all/route_localnet'])
      await inside(each, `ip address add ${address}/24 dev line`.split(' '))
      await inside(each, 'ip link set line mtu 1500 up'.split(' '))
      // The algorithm that most people's systems use. What a server uses is the server's choice.
      await inside(each, ['sh', '-c', 'echo cubic > /proc/sys/net/ipv4/tcp_congestion_control || true'])
      await shape(each, 'add', rate)
    }
    return {
      servers,
      host: SERVER,
      argvPrefix: ['nsenter', '-t', String(client.pid), '-n', '--'],
      counters: () => countersOf(client.pid),
      connections: (port) => connectionsTo(client.pid, port),
      setRates: async (rates) => {
        await shape(client, 'change', rates.up)
        await shape(server, 'change', rates.down)
        if (rates.up > 0) await wake(client, SERVER)
        if (rates.down > 0) await wake(server, CLIENT)
      },
      close,
    }
  } catch (error) {
    close()
    throw error
  }
}

function tbf(bytesPerSecond) {
  // The shaper runs once per timer tick, which is 4 ms at most.
  const burstBytes = Math.max(32 * 1024, Math.ceil(bytesPerSecond / 250))
  const limitBytes = Math.ceil((bytesPerSecond * QUEUE_MS) / 1000) + burstBytes
  return `rate ${Math.round(bytesPerSecond * 8)}bit burst ${burstBytes} limit ${limitBytes}`.split(' ')
}

function received(child, count) {
  return new Promise((resolve, reject) => {
    const servers = []
    child.on('message', ({ index }, server) => {
      server.allowHalfOpen = true
      servers[index] = server
      if (servers.filter(Boolean).length === count) resolve(servers)
    })
    child.once('exit', (status) => reject(new Error(`No socket listens in the namespace: ${status}`)))
  })
}

async function must(program, args) {
  const { code, output } = await capture(program, args)
  if (code !== 0) throw new Error(`${args.slice(3).join(' ')}: ${output.trim()}`)
}

/** The bytes and packets of the client's interface so far. */
async function countersOf(pid) {
  const text = await readFile(`/proc/${pid}/net/dev`, 'utf8')
  const [downBytes, downPackets, , , , , , , upBytes, upPackets] = /line:\s*(.*)/.exec(text)[1].split(/\s+/).map(Number)
  return { up: { bytes: upBytes, packets: upPackets }, down: { bytes: downBytes, packets: downPackets } }
}

async function connectionsTo(pid, port) {
  const text = await readFile(`/proc/${pid}/net/tcp`, 'utf8')
  const remote = `:${port.toString(16).toUpperCase().padStart(4, '0')} 01 `
  return text.split('\n').filter((line) => line.includes(remote)).length
}
