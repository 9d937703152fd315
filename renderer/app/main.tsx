// Entry of the page: connects the stores to the main process, then draws.

import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import '../styles/tokens.css'
import '../styles/reset.css'
import { currentSystem } from '../../shared/language/translate.ts'
import { connectLanguage } from '../state/language.ts'
import { ErrorBoundary } from '../ui/overlays/error-boundary.tsx'
import { App } from './app.tsx'
import { loadLate } from './late.ts'
import { start } from './start.ts'

const root = document.getElementById('root')
if (root !== null) {
  connectLanguage()
  // For styles that differ on Linux. The app's own facts arrive later.
  if (currentSystem() === 'linux') document.documentElement.classList.add('linux')
  start()
  createRoot(root).render(
    <StrictMode>
      <ErrorBoundary>
        <App />
      </ErrorBoundary>
    </StrictMode>,
  )
  loadLate()
}
