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

// ErrSignature is wrapped by the error of [Restore] for a snapshot that is not signed as
// [WithSnapshotKey] demands.
var ErrSignature = errors.New("cannot verify the signature of the snapshot")

// WithSnapshotKey makes [Session.Snapshot] and [Session.Suspend] sign their result with key
// (HMAC-SHA256). [Restore] then checks the signature before it reads anything else, and fails with
// [ErrSignature] unless the snapshot is signed with key or one of the older keys. A snapshot is
// signed but not encrypted: anyone who has it can read it.
//
// Without a key a snapshot must be trusted: anyone who can write one can make the session run
// scripts. Restore without a key refuses a signed snapshot, so that a forgotten key is noticed.
//
// A key has at least 32 bytes, which should be random. To replace a key, pass the new one, followed
// by the old one as long as snapshots signed with it are in use.
func WithSnapshotKey(key []byte, older ...[]byte) Option {
	keys := [][]byte{bytes.Clone(key)}
	for _, k := range older {
		keys = append(keys, bytes.Clone(k))
	}
	return option(func(c *config) { c.snapshotKeys = keys })
}

// minSnapshotKey is the minimum length of a key, the length of the hash.
const minSnapshotKey = sha256.Size

func checkSnapshotKeys(keys [][]byte) error {
	for i, key := range keys {
		if len(key) < minSnapshotKey {
			return fmt.Errorf("WithSnapshotKey: key %d has %d bytes: want at least %d", i+1, len(key), minSnapshotKey)
		}
	}
	return nil
}

// A signature is the last member of the JSON object. It covers the bytes of the object without that
// member.
const (
	signatureStart = `,"signature":"`
	signatureEnd   = `"}`
	signatureLen   = len(signatureStart) + 2*sha256.Size + len(signatureEnd)
)

// sign adds a signature to a snapshot without one, if there is a key.
func (c *config) sign(snapshot []byte) []byte {
	if c.snapshotKeys == nil {
		return snapshot
	}
	mac := hex.EncodeToString(signature(c.snapshotKeys[0], snapshot))
	return append(strconv.AppendQuote(openMember(snapshot, "signature", len(mac)+len(`""`)), mac), '}')
}

// verify checks the signature of a snapshot and returns the snapshot without it.
func (c *config) verify(snapshot []byte) ([]byte, error) {
	body, mac := cutSignature(snapshot)
	switch {
	case c.snapshotKeys == nil && mac == nil:
		return snapshot, nil
	case c.snapshotKeys == nil:
		return nil, fmt.Errorf("%w: the snapshot is signed, but no key is given: use WithSnapshotKey", ErrSignature)
	case mac == nil:
		return nil, fmt.Errorf("%w: the snapshot is not signed", ErrSignature)
	}
	if !slices.ContainsFunc(c.snapshotKeys, func(key []byte) bool { return hmac.Equal(mac, signature(key, body)) }) {
		return nil, fmt.Errorf("%w: the snapshot was changed, or signed with another key", ErrSignature)
	}
	return body, nil
}

// cutSignature splits a snapshot; mac is nil if it has no signature.
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
