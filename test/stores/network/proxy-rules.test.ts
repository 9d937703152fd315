import { describe, expect, it } from 'vitest'
import { isExempt, parseProxy } from '../../../electron/stores/network/proxy-rules.ts'

describe('a proxy as the environment names it', () => {
  it.each([
    ['http://proxy.corp:3128', { host: 'proxy.corp', port: 3128, credentials: null }],
    ['proxy.corp:8080', { host: 'proxy.corp', port: 8080, credentials: null }],
    ['http://proxy.corp', { host: 'proxy.corp', port: 1080, credentials: null }],
    ['http://proxy.corp:80/', { host: 'proxy.corp', port: 80, credentials: null }],
    ['http://[::1]:3128', { host: '::1', port: 3128, credentials: null }],
    [
      'http://ann:p%40ss%3Aword@proxy:1',
      { host: 'proxy', port: 1, credentials: { user: 'ann', password: 'p@ss:word' } },
    ],
    ['http://ann@proxy:1', { host: 'proxy', port: 1, credentials: { user: 'ann', password: '' } }],
  ])('%s', (text, proxy) => {
    expect(parseProxy(text)).toEqual(proxy)
  })

  it.each([
    'https://proxy:443',
    'socks5://proxy:1080',
    'http://',
    'http://a b',
    'http://a:99999',
    'http://%zz@proxy:1',
  ])('is not one: %s', (text) => {
    expect(parseProxy(text)).toBeNull()
  })
})

describe('a host is exempt', () => {
  it.each([
    ['example.com', 'example.com', 443],
    ['example.com', 'media.example.com', 443],
    ['.example.com', 'media.example.com', 443],
    ['*.example.com', 'media.example.com', 443],
    ['EXAMPLE.com', 'Media.Example.Com.', 443],
    ['one, two  three', 'two', 80],
    ['*', 'anything', 1],
    ['127.0.0.1', '127.0.0.1', 9000],
    ['127.0.0.1:9000', '127.0.0.1', 9000],
    ['10.0.0.0/8', '10.1.2.3', 80],
    ['::1', '::1', 80],
    ['[::1]:80', '::1', 80],
    ['fd00::/8', 'fd12::1', 80],
  ])('by %s: %s:%d', (rules, host, port) => {
    expect(isExempt(rules, host, port)).toBe(true)
  })

  it.each([
    ['', 'example.com', 443],
    ['example.com', 'notexample.com', 443],
    ['media.example.com', 'example.com', 443],
    ['example.com:80', 'example.com', 443],
    ['0.0.1', '127.0.0.1', 80],
    ['10.0.0.0/8', '11.0.0.1', 80],
    ['10.0.0.0/99', '10.0.0.1', 80],
    ['10.0.0.0/8', 'ten.example.com', 80],
  ])('not by %j: %s:%d', (rules, host, port) => {
    expect(isExempt(rules, host, port)).toBe(false)
  })
})
