declare module '@20minutes/s3rver' {
  import type { AddressInfo, Server } from 'node:net'

  export default class S3rver {
    constructor(options: {
      readonly address: string
      readonly port: number
      readonly directory: string
      readonly silent: boolean
      readonly vhostBuckets: boolean
    })
    readonly httpServer: Server & { closeAllConnections(): void }
    run(): Promise<AddressInfo>
    close(): Promise<void>
  }
}
