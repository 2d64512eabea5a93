/// The names of what gives access to something, in imports and in drafts.
enum SecretNames {
  /// What a name ends with, in small letters and without `_`, `-` and `.`, whose value is a secret.
  static let endings = [
    "token", "password", "passwd", "passphrase", "secret", "apikey", "accesskey", "privatekey",
    "authorization", "credential", "credentials", "signature", "jwt",
  ]
  /// With what keys of well-known services begin.
  static let keyBeginnings = [
    "sk_live_", "sk_test_", "ghp_", "gho_", "github_pat_", "glpat-", "xoxb-", "xoxp-", "AKIA",
    "AIza", "ya29.", "npm_",
  ]
}
