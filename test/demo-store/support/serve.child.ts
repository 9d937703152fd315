import { startDemoStore } from '../../../electron/demo-store/index.ts'

/** Serves the folder named by the first argument, anonymously, and prints the endpoint: a process to be killed. */
const [directory = ''] = process.argv.slice(2)
const store = await startDemoStore({ directory, buckets: ['demo'], credentials: null })
process.stdout.write(`${store.endpoint}\n`)
