'use strict'
// Required by the app before it is ready: from when the test says so, its drive answers no write to a partial file.
const { open, rm } = require('node:fs/promises')
const { tmpdir } = require('node:os')
const { join } = require('node:path')
const { pid } = require('node:process')
const { app } = require('electron')

let answers = Promise.resolve()
app.once('test-hangs', () => {
  answers = new Promise((resolve) => app.once('test-answers', resolve))
})

async function hangWrites() {
  const path = join(tmpdir(), `sluice-hang-${pid}`)
  const file = await open(path, 'w')
  const kind = Object.getPrototypeOf(file)
  const { writev } = kind
  kind.writev = async function (...rest) {
    await answers
    return writev.apply(this, rest)
  }
  await file.close()
  await rm(path)
}

void hangWrites()
