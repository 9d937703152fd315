import { describe, expect, it } from 'vitest'
import { createCredentialStore } from '../../../electron/services/persistence/credential-store.ts'
import { unsealedWords } from '../../../renderer/words/keyring-words.ts'

type Backend = 'basic_text' | 'unknown' | 'gnome_libsecret' | 'kwallet6'

/** What Electron says of a keyring; `isOpen` may change while the app runs. */
function storeOf(keyring: { readonly backend: Backend; isOpen: boolean }, platform: NodeJS.Platform = 'linux') {
  const safeStorage = {
    isEncryptionAvailable: () => keyring.isOpen,
    getSelectedStorageBackend: () => keyring.backend,
    encryptString: (text: string) => {
      if (!keyring.isOpen) throw new Error('Encryption is not available')
      return Buffer.from(`sealed ${text}`)
    },
    decryptString: (sealed: Buffer) => {
      if (!sealed.toString().startsWith('sealed ')) throw new Error('Error while decrypting')
      return sealed.toString().slice('sealed '.length)
    },
  }
  return createCredentialStore(safeStorage, platform)
}

describe('the keyring', () => {
  it.each([
    ['linux', 'gnome_libsecret', true, 'ready'],
    // Also where the desktop has a keyring and it doesn't run: Electron names the one that it would use.
    ['linux', 'gnome_libsecret', false, 'locked'],
    ['linux', 'kwallet6', false, 'locked'],
    // Electron offers to encrypt with a password that is the same everywhere.
    ['linux', 'basic_text', true, 'none'],
    ['linux', 'unknown', true, 'none'],
    ['darwin', 'unknown', true, 'ready'],
    ['win32', 'unknown', true, 'ready'],
  ] as const)('on %s with %s, open: %s, is %s', (platform, backend, isOpen, state) => {
    const store = storeOf({ backend, isOpen }, platform)
    expect(store.state()).toBe(state)
    const sealed = store.seal('secret')
    expect(sealed === null ? null : store.open(sealed)).toBe(state === 'ready' ? 'secret' : null)
  })

  it('is asked again each time', () => {
    const changing: Parameters<typeof storeOf>[0] = { backend: 'gnome_libsecret', isOpen: true }
    const store = storeOf(changing)
    const sealed = store.seal('secret') ?? ''
    changing.isOpen = false
    expect([store.state(), store.seal('other'), store.open(sealed)]).toEqual(['locked', null, null])
    changing.isOpen = true
    expect([store.state(), store.open(sealed)]).toEqual(['ready', 'secret'])
  })

  it('opens nothing that another keyring sealed', () => {
    const store = storeOf({ backend: 'gnome_libsecret', isOpen: true })
    expect(store.open(Buffer.from('v11 of another').toString('base64'))).toBeNull()
  })

  it('is not said to be locked where it may not run at all', () => {
    expect(unsealedWords('locked', 'key')).not.toMatch(/is locked/)
    expect(unsealedWords('none', 'key')).toMatch(/No keyring/)
  })
})

/** A keychain of macOS, which asks a person when it is touched first, and the answer. */
function createKeychain() {
  const keychain = { asked: 0, isAllowed: true }
  const touch = (): void => {
    keychain.asked += 1
    if (!keychain.isAllowed) throw new Error('Error while encrypting')
  }
  const safeStorage = {
    isEncryptionAvailable: () => {
      touch()
      return true
    },
    getSelectedStorageBackend: () => 'unknown' as const,
    encryptString: (text: string) => {
      touch()
      return Buffer.from(`sealed ${text}`)
    },
    decryptString: (bytes: Buffer) => {
      touch()
      return bytes.toString().slice('sealed '.length)
    },
  }
  return { keychain, credentials: createCredentialStore(safeStorage, 'darwin') }
}

it('macOS asks for leave to use the keychain when there is a secret, not when the app starts', () => {
  const { keychain, credentials } = createKeychain()
  expect(credentials.state()).toBe('ready')
  expect(keychain.asked).toBe(0)
  const sealed = credentials.seal('secret')
  expect(credentials.open(sealed ?? '')).toBe('secret')
})

it('a keychain that refuses is reported as locked, and is asked again for the next secret', () => {
  const { keychain, credentials } = createKeychain()
  keychain.isAllowed = false
  expect([credentials.seal('secret'), credentials.state()]).toEqual([null, 'locked'])
  keychain.isAllowed = true
  expect(credentials.seal('secret')).not.toBeNull()
  expect(credentials.state()).toBe('ready')
})
