"""A language model that says nothing, whole: a GGUF file of 100 KiB whose weights follow from a seed.

usage: model.py FILE [SEED]

One block of the Llama architecture over a vocabulary of single characters. Its first dimension is the same in every
embedding and no layer writes to it, so that the output can keep away from tokens that are neither a printable character nor the end.
"""
import sys

import gguf
import numpy

WIDTH, HEADS, HIDDEN, CONTEXT = 32, 2, 64, 2048
NORMAL, UNKNOWN, CONTROL, BYTE = (int(kind) for kind in (gguf.TokenType.NORMAL, gguf.TokenType.UNKNOWN, gguf.TokenType.CONTROL, gguf.TokenType.BYTE))


def vocabulary():
    """(text, kind) of each token: three special ones, every byte, printable characters."""
    tokens = [("<unk>", UNKNOWN), ("<s>", CONTROL), ("</s>", CONTROL)]
    tokens += [(f"<0x{byte:02X}>", BYTE) for byte in range(256)]
    return tokens + [("\u2581", NORMAL)] + [(chr(code), NORMAL) for code in range(33, 127)]


def main(path, seed):
    draw = numpy.random.RandomState(seed)
    tokens = vocabulary()
    writer = gguf.GGUFWriter(path, "llama")
    writer.add_name("made from a seed")
    writer.add_context_length(CONTEXT)
    writer.add_embedding_length(WIDTH)
    writer.add_block_count(1)
    writer.add_feed_forward_length(HIDDEN)
    writer.add_head_count(HEADS)
    writer.add_head_count_kv(HEADS)
    writer.add_rope_dimension_count(WIDTH // HEADS)
    writer.add_layer_norm_rms_eps(1e-5)
    writer.add_vocab_size(len(tokens))
    writer.add_tokenizer_model("llama")
    writer.add_token_list([text for text, _ in tokens])
    writer.add_token_scores([0.0 if kind != NORMAL else -1.0 for _, kind in tokens])
    writer.add_token_types([kind for _, kind in tokens])
    writer.add_unk_token_id(0)
    writer.add_bos_token_id(1)
    writer.add_eos_token_id(2)

    def tensor(name, *shape, silent=False):
        values = draw.standard_normal(shape).astype(numpy.float32)
        if silent:
            values[0, :] = 0
        writer.add_tensor(name, values)

    embedding = draw.standard_normal((len(tokens), WIDTH)).astype(numpy.float32)
    embedding[:, 0] = 4
    writer.add_tensor("token_embd.weight", embedding)
    for name in ("attn_q", "attn_k", "attn_v"):
        tensor(f"blk.0.{name}.weight", WIDTH, WIDTH)
    tensor("blk.0.attn_output.weight", WIDTH, WIDTH, silent=True)
    tensor("blk.0.ffn_gate.weight", HIDDEN, WIDTH)
    tensor("blk.0.ffn_up.weight", HIDDEN, WIDTH)
    tensor("blk.0.ffn_down.weight", WIDTH, HIDDEN, silent=True)
    for name in ("blk.0.attn_norm", "blk.0.ffn_norm", "output_norm"):
        writer.add_tensor(f"{name}.weight", numpy.ones(WIDTH, dtype=numpy.float32))
    output = draw.standard_normal((len(tokens), WIDTH)).astype(numpy.float32)
    output[:, 0] = [0 if kind == NORMAL or text == "</s>" else -1000 for text, kind in tokens]
    writer.add_tensor("output.weight", output)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 1)
