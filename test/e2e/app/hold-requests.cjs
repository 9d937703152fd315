'use strict'
// Required by the app before it is ready. It starts when the test says so, for nothing can join a page that gets
// nothing; and from its first window on, a page gets nothing of what it asks for, or nothing but itself.
const { env } = require('node:process')
const { app } = require('electron')

const isReady = app.whenReady()
const isBegun = new Promise((resolve) => app.once('test-begins', resolve))
app.whenReady = () => isBegun.then(() => isReady)

app.on('browser-window-created', (_, { webContents }) => {
  webContents.session.webRequest.onBeforeRequest(({ resourceType }, decide) => {
    if (env.TEST_HELD_REQUESTS === 'scripts' && resourceType === 'mainFrame') decide({})
  })
})
