// Entry of the page: connects the stores to the main process, then draws.

import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import '../styles/tokens.css'
import '../styles/reset.css'
import { App } from './app.tsx'
import { start } from './start.ts'

const root = document.getElementById('root')
if (root !== null) {
  start()
  createRoot(root).render(
    <StrictMode>
      <App />
    </StrictMode>,
  )
}
