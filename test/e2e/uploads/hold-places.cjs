'use strict'
// Required by the app before it is ready: the page hears of its places only when the test says so.
const { app, ipcMain } = require('electron')

const isTold = new Promise((resolve) => app.once('test-tells-places', resolve))
const handle = ipcMain.handle.bind(ipcMain)
ipcMain.handle = (channel, listener) =>
  handle(channel, async (...request) => {
    if (channel === 'places:list') await isTold
    return listener(...request)
  })
