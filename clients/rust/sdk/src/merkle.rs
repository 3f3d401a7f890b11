//! Merkle trees as RFC 6962 and RFC 9162 (2.1) hash them: roots, inclusion proofs, and the check of both proofs.
//!
//! The sides on which a proof's hashes stand follow from the sizes alone: the path climbs through a part where the tree
//! is cut like a complete one (the *inner* part), and then along the tree's right edge (the *border*), where every hash
//! stands on the left.

use std::fmt;

use ring::digest::{Context, SHA256};

/// A SHA-256 hash.
pub type Hash = [u8; 32];

/// A proof that proves nothing; the text says what is wrong with it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ProofError {
    /// Sizes, an index or a number of hashes that no proof can have.
    Shape(String),
    /// A proof of the right shape that leads to another root.
    Mismatch(String),
}

impl fmt::Display for ProofError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ProofError::Shape(text) | ProofError::Mismatch(text) => formatter.write_str(text),
        }
    }
}

impl std::error::Error for ProofError {}

/// SHA-256 of the parts, one after another.
pub(crate) fn sha256(parts: &[&[u8]]) -> Hash {
    let mut context = Context::new(&SHA256);
    for part in parts {
        context.update(part);
    }
    let mut hash = [0; 32];
    hash.copy_from_slice(context.finish().as_ref());
    hash
}

/// The root of a tree without leaves.
pub fn empty_root() -> Hash {
    sha256(&[])
}

/// The hash of a leaf's bytes. Its prefix is not a node's, so that nobody can pass a node off as a leaf.
pub fn leaf_hash(data: &[u8]) -> Hash {
    sha256(&[&[0], data])
}

/// The hash of two hashes.
pub fn node_hash(left: &Hash, right: &Hash) -> Hash {
    sha256(&[&[1], left, right])
}

/// How many of `count` leaves, at least 2, go to the left: the largest power of two below `count`.
fn cut(count: usize) -> usize {
    1 << (usize::BITS - 1 - (count - 1).leading_zeros())
}

/// The root over leaf hashes.
pub fn root_of(leaves: &[Hash]) -> Hash {
    match leaves {
        [] => empty_root(),
        [leaf] => *leaf,
        _ => {
            let (left, right) = leaves.split_at(cut(leaves.len()));
            node_hash(&root_of(left), &root_of(right))
        }
    }
}

/// The hashes that lead from leaf `index` to the root, the lowest first; `None` when there is no such leaf.
pub fn inclusion_proof(leaves: &[Hash], index: usize) -> Option<Vec<Hash>> {
    if index >= leaves.len() {
        return None;
    }
    if leaves.len() == 1 {
        return Some(Vec::new());
    }
    let (left, right) = leaves.split_at(cut(leaves.len()));
    let (near, far, place) = if index < left.len() { (left, right, index) } else { (right, left, index - left.len()) };
    let mut path = inclusion_proof(near, place)?;
    path.push(root_of(far));
    Some(path)
}

/// Checks that the leaf of this hash is number `index` of the tree of `size` leaves with this root.
pub fn verify_inclusion(leaf: &Hash, index: u64, size: u64, proof: &[Hash], root: &Hash) -> Result<(), ProofError> {
    if index >= size {
        return Err(ProofError::Shape(format!("leaf {index} of a tree of {size} leaves")));
    }
    let (inner, border) = parts(index, size);
    check_count(proof.len(), inner + border, || format!("leaf {index} of {size}"))?;
    let mut reached = *leaf;
    for (level, other) in (0u32..).zip(proof) {
        let on_the_left = level >= inner || (index >> level) & 1 == 1;
        reached = if on_the_left { node_hash(other, &reached) } else { node_hash(&reached, other) };
    }
    check_root(&reached, root, || format!("leaf {index} of {size}"))
}

/// Checks that the tree of `size` leaves with `root` begins with the tree of `old_size` leaves with `old_root`.
pub fn verify_consistency(
    old_size: u64,
    old_root: &Hash,
    size: u64,
    root: &Hash,
    proof: &[Hash],
) -> Result<(), ProofError> {
    if old_size > size {
        return Err(ProofError::Shape(format!("an older tree of {old_size} leaves in a tree of {size}")));
    }
    if old_size == 0 || old_size == size {
        check_count(proof.len(), 0, || format!("{old_size} leaves to {size}"))?;
        let expected = if old_size == 0 { empty_root() } else { *root };
        if *old_root != expected {
            return Err(ProofError::Mismatch(format!("two roots for {old_size} leaves")));
        }
        if size == 0 && *root != empty_root() {
            return Err(ProofError::Mismatch("a tree without leaves has another root".to_owned()));
        }
        return Ok(());
    }
    verify_growth(old_size, old_root, size, root, proof)
}

/// The proof is the path of the older tree's last complete subtree; its left part also makes the older root.
fn verify_growth(old_size: u64, old_root: &Hash, size: u64, root: &Hash, proof: &[Hash]) -> Result<(), ProofError> {
    let level = old_size.trailing_zeros();
    let whole = old_size.is_power_of_two();
    let (inner, border) = parts(old_size - 1, size);
    let inner = inner - level;
    check_count(proof.len(), inner + border + u32::from(!whole), || format!("{old_size} leaves to {size}"))?;
    // A whole older tree is itself the subtree that the path starts from, so the proof leaves it out.
    let (start, path) = match proof {
        path if whole => (old_root, path),
        [start, path @ ..] => (start, path),
        [] => return Err(ProofError::Shape(format!("{old_size} leaves to {size}: an empty proof"))),
    };
    let (mut older, mut newer) = (*start, *start);
    for (step, other) in (0u32..).zip(path) {
        if step >= inner || ((old_size - 1) >> (level + step)) & 1 == 1 {
            older = node_hash(other, &older);
            newer = node_hash(other, &newer);
        } else {
            newer = node_hash(&newer, other);
        }
    }
    check_root(&older, old_root, || format!("{old_size} leaves"))?;
    check_root(&newer, root, || format!("{size} leaves"))
}

/// How many hashes of the path from a leaf belong to the inner part and to the border.
fn parts(index: u64, size: u64) -> (u32, u32) {
    let inner = u64::BITS - (index ^ (size - 1)).leading_zeros();
    (inner, index.checked_shr(inner).unwrap_or(0).count_ones())
}

fn check_count(count: usize, expected: u32, what: impl Fn() -> String) -> Result<(), ProofError> {
    if count == expected as usize {
        return Ok(());
    }
    Err(ProofError::Shape(format!("{}: a proof of {count} hashes; expected {expected}", what())))
}

fn check_root(reached: &Hash, wanted: &Hash, what: impl Fn() -> String) -> Result<(), ProofError> {
    if reached == wanted {
        return Ok(());
    }
    Err(ProofError::Mismatch(format!("{}: the proof leads to root {}, not {}", what(), hex(reached), hex(wanted))))
}

/// Bytes in hexadecimal.
pub(crate) fn hex(some: &[u8]) -> String {
    some.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Hashes from a message's bytes; fails for one that has not 32 of them.
pub fn hashes_of<T: AsRef<[u8]>>(some: &[T]) -> Result<Vec<Hash>, ProofError> {
    let hash =
        |one: &T| one.as_ref().try_into().map_err(|_| ProofError::Shape("a hash that is not of 32 bytes".into()));
    some.iter().map(hash).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn leaves(count: usize) -> Vec<Hash> {
        (0..count).map(|number| leaf_hash(format!("leaf {number}").as_bytes())).collect()
    }

    /// A consistency proof by the definition of RFC 9162 (2.1.4.1), for the check of the check.
    fn subproof(old_size: usize, leaves: &[Hash], complete: bool) -> Vec<Hash> {
        if old_size == leaves.len() {
            return if complete { Vec::new() } else { vec![root_of(leaves)] };
        }
        let (left, right) = leaves.split_at(cut(leaves.len()));
        let (mut path, other) = if old_size <= left.len() {
            (subproof(old_size, left, complete), root_of(right))
        } else {
            (subproof(old_size - left.len(), right, false), root_of(left))
        };
        path.push(other);
        path
    }

    #[test]
    fn every_leaf_of_small_trees_is_proved_and_no_other_place_is() {
        for size in 1..40 {
            let all = leaves(size);
            let root = root_of(&all);
            for index in 0..size {
                let proof = inclusion_proof(&all, index).expect("there is such a leaf");
                for claimed in 0..=size as u64 {
                    let checked = verify_inclusion(&all[index], claimed, size as u64, &proof, &root);
                    assert_eq!(checked.is_ok(), claimed == index as u64, "{index} as {claimed} of {size}");
                }
                for broken in 0..proof.len() {
                    let mut changed = proof.clone();
                    changed[broken][7] ^= 1;
                    let checked = verify_inclusion(&all[index], index as u64, size as u64, &changed, &root);
                    assert!(matches!(checked, Err(ProofError::Mismatch(_))));
                }
            }
            assert_eq!(inclusion_proof(&all, size), None);
        }
    }

    #[test]
    fn every_growth_of_small_trees_is_proved_and_no_other_is() {
        let all = leaves(24);
        for size in 1..=24 {
            let root = root_of(&all[..size]);
            for old_size in 1..=size {
                let old_root = root_of(&all[..old_size]);
                let proof = subproof(old_size, &all[..size], true);
                let (old, new) = (old_size as u64, size as u64);
                assert_eq!(verify_consistency(old, &old_root, new, &root, &proof), Ok(()), "{old_size} to {size}");
                assert!(verify_consistency(old, &leaf_hash(b"other"), new, &root, &proof).is_err());
                assert!(verify_consistency(old, &old_root, new, &leaf_hash(b"other"), &proof).is_err());
                let longer = [proof.as_slice(), &[root]].concat();
                assert!(matches!(verify_consistency(old, &old_root, new, &root, &longer), Err(ProofError::Shape(_))));
            }
        }
    }

    #[test]
    fn the_empty_tree_is_the_beginning_of_every_other() {
        let root = root_of(&leaves(3));
        assert_eq!(verify_consistency(0, &empty_root(), 3, &root, &[]), Ok(()));
        assert!(verify_consistency(0, &root, 3, &root, &[]).is_err());
        assert!(verify_consistency(0, &empty_root(), 0, &root, &[]).is_err());
        assert!(verify_consistency(4, &root, 3, &root, &[]).is_err());
    }
}
