package rest

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/hex"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/scxmlrun/scxmlrun/scxml/internal/httpguard"
)

// Scopes say what a request may do. One does not include another.
type Scopes uint8

// The scopes.
const (
	Read    Scopes = 1 << iota // look at sessions, their data, and charts
	Send                       // create sessions and send events
	Operate                    // delete, stop, suspend, resume, retry and skip
	Admin                      // upload charts and migrate sessions
	Metrics                    // read /metrics

	All = Read | Send | Operate | Admin | Metrics
)

var scopeNames = []string{"read", "send", "operate", "admin", "metrics"}

// String returns the names of the scopes, separated by commas.
func (s Scopes) String() string {
	var names []string
	for i, name := range scopeNames {
		if s&(1<<i) != 0 {
			names = append(names, name)
		}
	}
	return strings.Join(names, ",")
}

// parseScopes reads what [Scopes.String] writes. The name "all" means all scopes.
func parseScopes(text string) (s Scopes, err error) {
	for name := range strings.SplitSeq(text, ",") {
		switch i := slices.Index(scopeNames, name); {
		case name == "all":
			s |= All
		case i < 0 && len(name) >= MinToken: // it may be a token in the wrong place
			return 0, fmt.Errorf("a word of %d characters is not a scope: want %s or all", len(name), strings.Join(scopeNames, ", "))
		case i < 0:
			return 0, fmt.Errorf("%q is not a scope: want %s or all", name, strings.Join(scopeNames, ", "))
		default:
			s |= 1 << i
		}
	}
	return s, nil
}

// MinToken is the least length of a token, in characters.
const MinToken = 20

// A Token is a secret that allows something. The secret itself is not kept.
type Token struct {
	Name   string // for logs
	Scopes Scopes
	sum    [sha256.Size]byte
}

// NewToken returns a token.
func NewToken(name, secret string, scopes Scopes) Token {
	return Token{Name: name, Scopes: scopes, sum: sha256.Sum256([]byte(secret))}
}

// ParseTokens reads a list of tokens, one a line: a name, scopes separated by commas, and the
// secret, or "sha256:" and its hash in hexadecimal. Empty lines and those that begin with # do not count.
//
//	reports  read       sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08
//	checkout read,send  uXk2QW8vXo7sKc5fMZsP
func ParseTokens(text []byte) (tokens []Token, err error) {
	lines := bufio.NewScanner(bytes.NewReader(text))
	for n := 1; lines.Scan(); n++ {
		words := strings.Fields(lines.Text())
		if len(words) == 0 || strings.HasPrefix(words[0], "#") {
			continue
		}
		if len(words) != 3 {
			return nil, fmt.Errorf("line %d has %d words: want a name, scopes and a token", n, len(words))
		}
		scopes, err := parseScopes(words[1])
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", n, err)
		}
		t := NewToken(words[0], words[2], scopes)
		if hash, ok := strings.CutPrefix(words[2], "sha256:"); ok {
			sum, err := hex.DecodeString(hash)
			if err != nil || len(sum) != sha256.Size {
				return nil, fmt.Errorf("line %d: what follows \"sha256:\" is not a hash: want %d hexadecimal digits", n, 2*sha256.Size)
			}
			t.sum = [sha256.Size]byte(sum)
		} else if len(words[2]) < MinToken {
			return nil, fmt.Errorf("line %d: the token of %q has %d characters: want %d or more, at random", n, words[0], len(words[2]), MinToken)
		}
		if slices.ContainsFunc(tokens, func(other Token) bool { return other.Name == t.Name || other.sum == t.sum }) {
			return nil, fmt.Errorf("line %d: %q has the name or the token of an earlier line", n, t.Name)
		}
		tokens = append(tokens, t)
	}
	return tokens, lines.Err()
}

// access returns the token of a request, and whether it is one of the server's.
func (s *Server) access(r *http.Request) (found Token, ok bool) {
	secret, isBearer := httpguard.Token(r)
	if !isBearer {
		return Token{}, false
	}
	sum := sha256.Sum256([]byte(secret))
	for _, t := range s.cfg.Tokens {
		if subtle.ConstantTimeCompare(sum[:], t.sum[:]) == 1 {
			found, ok = t, true
		}
	}
	return found, ok
}
