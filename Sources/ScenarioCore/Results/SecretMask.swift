/// What stands in outputs in place of a secret.
package enum SecretMask {
  package static let text = "***"
}
