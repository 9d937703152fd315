import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { connect, createServer } from 'node:net'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import { onPath } from '../../lib/child.mjs'
import { inRoot } from '../../lib/paths.mjs'

/**
 * Serves `<folder>/www` on loopback, plain and over TLS 1.3, in a separate process: nginx if it is installed, else a
 * small server on Node. Resolves once it answers.
 */
export async function startServer(folder, certificate) {
  const isNginx = onPath('nginx') || onPath('/usr/sbin/nginx')
  const ports = { plain: await freePort(), tls: certificate === null ? null : await freePort() }
  const child = isNginx ? await startNginx(folder, ports, certificate) : startNode(folder, ports, certificate)
  let complaint = ''
  child.stderr.setEncoding('utf8').on('data', (text) => (complaint += text))
  const ended = once(child, 'exit').then(() => {
    throw new Error(`The server ended:\n${complaint}`)
  })
  ended.catch(() => undefined)
  await Promise.race([answering(ports.plain), ended])
  return {
    software: isNginx ? 'nginx' : 'Node',
    port: ports.plain,
    http: `http://127.0.0.1:${ports.plain}`,
    https: ports.tls === null ? null : `https://127.0.0.1:${ports.tls}`,
    async close() {
      child.kill()
      await ended.catch(() => undefined)
    },
  }
}

async function startNginx(folder, ports, certificate) {
  const configFile = join(folder, 'nginx.conf')
  await writeFile(configFile, nginxConfig(folder, ports, certificate))
  const argv = ['-p', folder, '-e', join(folder, 'nginx.log'), '-c', configFile]
  return spawn('nginx', argv, { env: { ...process.env, PATH: `${process.env.PATH}:/usr/sbin` } })
}

function startNode(folder, ports, certificate) {
  const settings = JSON.stringify({ www: join(folder, 'www'), ports, certificate })
  return spawn(process.execPath, [inRoot('scripts', 'bench', 'servers', 'node-server.mjs'), settings])
}

function nginxConfig(folder, ports, certificate) {
  const { username, uid } = userInfo()
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (kind) => `${kind}_temp_path ${folder}/temp-${kind};`,
  )
  const tls =
    certificate === null
      ? ''
      : `listen 127.0.0.1:${ports.tls} ssl; ssl_protocols TLSv1.3;
         ssl_certificate ${certificate.certFile}; ssl_certificate_key ${certificate.keyFile};`
  return `
    ${uid === 0 ? `user ${username};` : ''}
    daemon off; worker_processes 2; pid ${folder}/nginx.pid; error_log ${folder}/nginx.log;
    events { worker_connections 4096; }
    http {
      ${temporary.join('\n')}
      access_log off; sendfile on; tcp_nopush on; tcp_nodelay on;
      keepalive_requests 1000000; keepalive_timeout 75s; open_file_cache max=20000;
      types { text/html html; application/json json; } default_type application/octet-stream;
      server {
        listen 127.0.0.1:${ports.plain}; ${tls}
        root ${folder}/www; index index.html;
        location = /demo/ { try_files /listing/$arg_prefix$arg_marker.json =404; }
      }
    }`
}

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address()
  server.close()
  await once(server, 'close')
  return port
}

async function answering(port) {
  for (;;) {
    const socket = connect(port, '127.0.0.1')
    const isOpen = await new Promise((resolve) => {
      socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
    })
    socket.destroy()
    if (isOpen) return
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}
