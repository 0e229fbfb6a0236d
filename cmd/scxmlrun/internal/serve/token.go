package serve

import (
	"bytes"
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"

	"github.com/scxmlrun/scxmlrun/cmd/internal/cli"
	"github.com/scxmlrun/scxmlrun/cmd/internal/durable"
	"github.com/scxmlrun/scxmlrun/scxml/fleet/rest"
)

// tokenFile is the file, in the folder of the store, with the token for everything. It is for those
// who can read the folder.
const tokenFile = "token"

const maxTokens = 1 << 20 // bytes of a file of tokens

// ownToken returns the token of the folder, which the first start makes.
func ownToken(folder string) (rest.Token, string, error) {
	name := filepath.Join(folder, tokenFile)
	secret, err := readSecret(name)
	if errors.Is(err, fs.ErrNotExist) {
		secret = []byte(rand.Text())
		err = durable.Write(name, append(secret, '\n'), 0o600)
	}
	if err != nil {
		return rest.Token{}, name, cli.Usagef("cannot use the token in %q: %v", name, cli.Plain(err))
	}
	secret = bytes.TrimSpace(secret)
	if len(secret) < rest.MinToken {
		return rest.Token{}, name, cli.Usagef("the token in %q has %d characters: want %d or more; remove the file, and the next start makes one", name, len(secret), rest.MinToken)
	}
	return rest.NewToken("token", string(secret), rest.All), name, nil
}

// readTokens returns the tokens of a file of --tokens.
func readTokens(name string) ([]rest.Token, error) {
	text, err := readSecret(name)
	if err != nil {
		return nil, cli.Usagef("--tokens %s: %v", name, cli.Plain(err))
	}
	tokens, err := rest.ParseTokens(text)
	if err == nil && len(tokens) == 0 {
		err = errors.New("it has no token: want lines such as \"checkout read,send TOKEN\"")
	}
	if err != nil {
		return nil, cli.Usagef("--tokens %s: %v", name, err)
	}
	return tokens, nil
}

// readSecret reads a file that only its owner can read.
func readSecret(name string) ([]byte, error) {
	info, err := os.Stat(name)
	if err != nil {
		return nil, err
	}
	if mode := info.Mode().Perm(); mode&0o077 != 0 && runtime.GOOS != "windows" {
		return nil, fmt.Errorf("others can read it (mode %04o): run chmod 600 %s", mode, name)
	}
	return cli.ReadText(name, maxTokens)
}
