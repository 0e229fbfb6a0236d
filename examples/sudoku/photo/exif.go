package photo

import (
	"bytes"
	"encoding/binary"
)

// orientation returns the EXIF orientation of a JPEG, given its first bytes, or 0 if they do not say.
func orientation(jpeg []byte) int {
	const markerSOS, markerAPP1 = 0xda, 0xe1
	if len(jpeg) < 2 {
		return 0
	}
	for rest := jpeg[2:]; len(rest) >= 4 && rest[0] == 0xff && rest[1] != markerSOS; {
		size := 2 + int(binary.BigEndian.Uint16(rest[2:]))
		if size < 4 || size > len(rest) {
			return 0
		}
		if tiff, ok := bytes.CutPrefix(rest[4:size], []byte("Exif\x00\x00")); ok && rest[1] == markerAPP1 {
			return tiffOrientation(tiff)
		}
		rest = rest[size:]
	}
	return 0
}

// tiffOrientation returns the tag Orientation of the first directory of a TIFF file.
func tiffOrientation(tiff []byte) int {
	const tagOrientation, typeShort = 0x0112, 3
	var order binary.ByteOrder = binary.BigEndian
	switch {
	case bytes.HasPrefix(tiff, []byte("II*\x00")):
		order = binary.LittleEndian
	case !bytes.HasPrefix(tiff, []byte("MM\x00*")):
		return 0
	}
	if len(tiff) < 8 {
		return 0
	}
	at := uint64(order.Uint32(tiff[4:]))
	if at+2 > uint64(len(tiff)) {
		return 0
	}
	entries := tiff[at+2:]
	for range order.Uint16(tiff[at:]) {
		if len(entries) < 12 {
			return 0
		}
		if order.Uint16(entries) == tagOrientation && order.Uint16(entries[2:]) == typeShort {
			return int(order.Uint16(entries[8:]))
		}
		entries = entries[12:]
	}
	return 0
}
