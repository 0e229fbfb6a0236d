package scxml

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strconv"
)

// ErrSignature is what [Restore] returns for a snapshot that is not signed as
// [WithSnapshotKey] demands; the error that wraps it says what is wrong.
var ErrSignature = errors.New("the signature of the snapshot does not hold")

// WithSnapshotKey has [Session.Snapshot] and [Session.Suspend] sign what they
// return with key (HMAC-SHA256), and [Restore] refuse, with [ErrSignature] and
// before it reads anything, what is not signed with key or one of the older
// keys. A snapshot is not encrypted: whoever has it can read it.
//
// Without a key a snapshot is trusted input: whoever can write one can have the
// session run scripts of their own. A snapshot that is signed is refused by a
// Restore without a key, so that a key that was forgotten is noticed.
//
// A key has at least 32 bytes, which should be random. To change it give the new
// one, and the old one after it until nothing is left that it has signed.
func WithSnapshotKey(key []byte, older ...[]byte) Option {
	keys := [][]byte{bytes.Clone(key)}
	for _, k := range older {
		keys = append(keys, bytes.Clone(k))
	}
	return option(func(c *config) { c.snapshotKeys = keys })
}

// minSnapshotKey is how many bytes a key has at least: as many as the hash.
const minSnapshotKey = sha256.Size

func checkSnapshotKeys(keys [][]byte) error {
	for i, key := range keys {
		if len(key) < minSnapshotKey {
			return fmt.Errorf("WithSnapshotKey: key %d has %d bytes: want at least %d", i+1, len(key), minSnapshotKey)
		}
	}
	return nil
}

// A signature is the last member of the object that a snapshot is. It is made
// from the bytes of the snapshot as it is without that member.
const (
	signatureStart = `,"signature":"`
	signatureEnd   = `"}`
	signatureLen   = len(signatureStart) + 2*sha256.Size + len(signatureEnd)
)

// sign adds a signature, if there is a key, to a snapshot without one.
func (c *config) sign(snapshot []byte) []byte {
	if c.snapshotKeys == nil {
		return snapshot
	}
	mac := hex.EncodeToString(signature(c.snapshotKeys[0], snapshot))
	return append(strconv.AppendQuote(openMember(snapshot, "signature", len(mac)+len(`""`)), mac), '}')
}

// verify returns a snapshot without its signature, once that has been checked.
func (c *config) verify(snapshot []byte) ([]byte, error) {
	body, mac := cutSignature(snapshot)
	switch {
	case c.snapshotKeys == nil && mac == nil:
		return snapshot, nil
	case c.snapshotKeys == nil:
		return nil, fmt.Errorf("%w: there is one, and no key: see WithSnapshotKey", ErrSignature)
	case mac == nil:
		return nil, fmt.Errorf("%w: the snapshot has none", ErrSignature)
	}
	if !slices.ContainsFunc(c.snapshotKeys, func(key []byte) bool { return hmac.Equal(mac, signature(key, body)) }) {
		return nil, fmt.Errorf("%w: the snapshot was changed, or signed with a key that is not given", ErrSignature)
	}
	return body, nil
}

// cutSignature takes a snapshot apart; mac is nil if it has no signature.
func cutSignature(snapshot []byte) (body, mac []byte) {
	text := bytes.TrimRight(snapshot, " \t\r\n")
	at := len(text) - signatureLen
	if at < 0 || !bytes.HasPrefix(text[at:], []byte(signatureStart)) || !bytes.HasSuffix(text, []byte(signatureEnd)) {
		return snapshot, nil
	}
	mac, err := hex.DecodeString(string(text[at+len(signatureStart) : len(text)-len(signatureEnd)]))
	if err != nil {
		return snapshot, nil
	}
	return append(bytes.Clone(text[:at]), '}'), mac
}

func signature(key, body []byte) []byte {
	mac := hmac.New(sha256.New, key)
	mac.Write(body)
	return mac.Sum(nil)
}
