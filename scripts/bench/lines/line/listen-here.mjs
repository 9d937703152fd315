import { createServer } from 'node:net'

// Listens in the network namespace that it was started in, passes the sockets to its parent, and keeps the namespace
// alive.
for (let index = 0; index < Number(process.argv[2]); index += 1) {
  const server = createServer({ allowHalfOpen: true })
  server.listen({ port: 0, host: '0.0.0.0', backlog: 4096 }, () =>
    process.send({ index }, server, () => server.close()),
  )
}
// The channel keeps this process alive, and the process keeps the namespace.
process.on('disconnect', () => process.exit())
