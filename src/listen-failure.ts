import { OperatorError } from './operator-error.ts'

type ListenError = NodeJS.ErrnoException & { address?: string; port?: number }

/**
 * Explains why a listener could not be opened. A port in use is the most common accident of a first start and has its own
 * message.
 */
export function explainListenFailure(host: string, variables: 'TELEGREP' | 'TELEGREP_ADMIN') {
  return (error: ListenError): never => {
    const { code, syscall, address, port } = error
    if (syscall !== 'listen' && syscall !== 'getaddrinfo') throw error
    if (code === 'EADDRINUSE') {
      const flag = variables === 'TELEGREP' ? '--port' : '--admin-port'
      throw new OperatorError(
        `port ${port} on ${address} is in use by another program; choose another with ${variables}_PORT or ${flag}`,
      )
    }
    if (code === 'EACCES')
      throw new OperatorError(`port ${port} may not be used by this user; ports from 1024 on can`)
    throw new OperatorError(`${variables}_HOST ${host} is not an address of this machine`)
  }
}
