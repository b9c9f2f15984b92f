package cells

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
)

// delimiter stands between the addresses of a message and its signature.
const delimiter = "<IDS|MSG>"

// Signed reports whether a message to the kernel, in frames, is whole and signed with its key.
// The ports of a kernel are open to every user of the machine; GoNB would end at a message
// that is not.
func Signed(frames [][]byte, key []byte) bool {
	for i, f := range frames {
		if string(f) != delimiter {
			continue
		}
		if len(frames) < i+6 {
			return false
		}
		if len(key) == 0 {
			return true
		}
		mac := hmac.New(sha256.New, key)
		for _, part := range frames[i+2 : i+6] {
			mac.Write(part)
		}
		return hmac.Equal([]byte(hex.EncodeToString(mac.Sum(nil))), frames[i+1])
	}
	return false
}
