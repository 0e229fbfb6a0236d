package postgres

import (
	"encoding/binary"
	"fmt"
	"hash/crc32"

	"github.com/scxmlrun/scxmlrun/scxml/fleet"
	"github.com/scxmlrun/scxmlrun/scxml/fleet/internal/index"
)

// The checksums of PostgreSQL are off in most databases. So records, log entries and files have their
// own.

// castagnoli returns the table that hash/crc32 makes when it is first asked.
func castagnoli() *crc32.Table { return crc32.MakeTable(crc32.Castagnoli) }

// checksum returns the checksum of a key and its contents.
func checksum(key []byte, contents ...[]byte) int32 {
	sum := crc32.Checksum(key, castagnoli())
	for _, content := range contents {
		sum = crc32.Update(sum, castagnoli(), content)
	}
	return int32(sum)
}

// recordSum returns the checksum of a record, but for its revision, which the server gives.
func recordSum(rec *fleet.Record) int32 {
	b := make([]byte, 0, 300)
	for _, text := range []string{rec.Key, rec.Chart, rec.Hash, rec.Status} {
		b = binary.BigEndian.AppendUint16(b, uint16(len(text)))
		b = append(b, text...)
	}
	b = binary.BigEndian.AppendUint64(b, rec.Accepted)
	b = binary.BigEndian.AppendUint64(b, uint64(index.Nanos(rec.Wake)))
	if rec.Pending {
		b = append(b, 1)
	}
	return checksum(b, rec.Body)
}

func damaged(format string, args ...any) error {
	return fmt.Errorf("%s: checksum does not match: %w", fmt.Sprintf(format, args...), fleet.ErrCorrupt)
}
