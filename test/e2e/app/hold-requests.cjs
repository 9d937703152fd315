'use strict'
// Required by the app before it is ready: from its first window on, a page gets nothing of what it asks for, or nothing
// but itself.
const { env } = require('node:process')
const { app } = require('electron')

app.on('browser-window-created', (_, { webContents }) => {
  webContents.session.webRequest.onBeforeRequest(({ resourceType }, decide) => {
    if (env.TEST_HELD_REQUESTS === 'scripts' && resourceType === 'mainFrame') decide({})
  })
})
